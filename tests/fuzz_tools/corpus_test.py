#!/usr/bin/env python3
"""What tools/corpus promises: it tells every seed, takes over only what reaches more, and no input that ends a target
slips through.

Use: corpus_test.py SOURCE BUILD [unittest's arguments]

Merging needs targets with libFuzzer; where BUILD has none, those tests are skipped.
"""

import hashlib
import shutil

import support
from support import ToolTest

NEW = b'One ```json5 {\n```json\n{"name":"q","args":{"zz":[[[[[1e5]]]]],"n":null}}\n```\n~~~ and so on\n'
CRASH = b"a [emotion:[emotion:calm]sad] b"


class CorpusTest(ToolTest):
    def corpus(self, command, *arguments, code, build=None, **more):
        return self.run_program(support.SOURCE / "tools" / "corpus", command, "--build", build or support.BUILD,
                                *arguments, code=code, **more)


class List(CorpusTest):
    def test_tells_every_seed_of_every_kind(self):
        out, _ = self.corpus("list", code=0)
        for folder in (support.SOURCE / "corpus").iterdir():
            seeds = list(folder.iterdir())
            self.assertIn(f"corpus/{folder.name}: {len(seeds)} seeds; read by ", out)
            for seed in seeds:
                self.assertRegex(out, rf"(?m)^  {seed.name} +{seed.stat().st_size:,}  \S")
        cases = list((support.SOURCE / "regression").glob("*/reply.txt"))
        self.assertIn(f"regression: {len(cases)} cases", out)

    def test_names_every_target_that_reads_a_kind(self):
        out, _ = self.corpus("list", code=0)
        for line in (support.BUILD / "fuzz" / "targets.tsv").read_text(encoding="utf-8").splitlines():
            target, folder, *_ = line.split("\t")
            head = next(one for one in out.splitlines() if one.startswith(f"{folder}: "))
            self.assertIn(target, head)

    def test_says_what_a_seed_gives(self):
        out, _ = self.corpus("list", "bodies", code=0)
        self.assertRegex(out, r"(?m)^  args-null\.txt +35  args not an object: found null")
        self.assertNotIn("regression", out)
        out, _ = self.corpus("list", "readings", code=0)
        self.assertRegex(out, r"(?m)^  no-brace\.txt .*had no JSON object")
        out, _ = self.corpus("list", "replies", code=0)
        self.assertRegex(out, r"(?m)^  20-onboarding-zh-ru\.txt .*call.*\| strict fences: .*call")

    def test_wrong_use_has_a_sentence_and_exit_code_2(self):
        for command, arguments, build, sentence in (
                ("list", ["nothing"], None, "'nothing' is none"),
                ("list", [], self.folder, "Is that a build folder?"),
                ("merge", [], None, "FOLDER"),
                ("merge", ["nowhere", "--target", "nobody_fuzzer"], None, "There is no target 'nobody_fuzzer'"),
                ("prune", ["--sideways"], None, "--sideways")):
            with self.subTest(command=command, arguments=arguments):
                _, err = self.corpus(command, *arguments, build=build, code=2)
                self.assertIn(sentence, err)


class FuzzerTest(CorpusTest):
    def setUp(self):
        super().setUp()
        table = support.BUILD / "fuzz" / "targets.tsv"
        self.lines = table.read_text(encoding="utf-8").splitlines()
        if not (support.BUILD / "fuzz" / "notes_fuzzer").exists():
            self.skipTest("this build has no targets with libFuzzer")
        self.found = self.folder / "found"
        self.found.mkdir()


class Merge(FuzzerTest):
    def test_takes_over_what_reaches_more_under_its_hash(self):
        (self.found / "deeper").mkdir()
        (self.found / "deeper" / "new").write_bytes(NEW)
        seed = next((support.SOURCE / "corpus" / "replies").iterdir())
        shutil.copyfile(seed, self.found / "old")
        arguments = ("merge", self.found, "--into", "into", "--target", "tool_calls_fuzzer", "--target", "notes_fuzzer")
        out, _ = self.corpus(*arguments, code=0)
        self.assertIn("1 of 2 inputs are new", out)
        self.assertIn("0 files before, 1 now", out)
        files = list((self.folder / "into").iterdir())
        self.assertEqual([file.name for file in files], [hashlib.sha1(NEW).hexdigest()])
        self.assertEqual(files[0].read_bytes(), NEW)
        out, _ = self.corpus(*arguments, code=0)
        self.assertIn("0 of 2 inputs are new", out)
        self.assertIn("1 files before, 1 now", out)

    def test_cuts_nothing(self):
        data = NEW + b"x" * 9000 + b"\n" + NEW
        (self.found / "long").write_bytes(data)
        self.corpus("merge", self.found, "--into", "into", "--target", "tool_calls_fuzzer", code=0)
        files = list((self.folder / "into").iterdir())
        self.assertEqual([file.read_bytes() for file in files], [data])

    def test_an_input_that_ends_the_target_is_named_and_left_out(self):
        canary = support.BUILD / "fuzz" / "canaries" / "emotion_tags_canary"
        build = self.folder / "build" / "fuzz"
        build.mkdir(parents=True)
        (build / "emotion_tags_fuzzer").symlink_to(canary)
        line = next(one for one in self.lines if one.startswith("emotion_tags_fuzzer\t"))
        (build / "targets.tsv").write_text(line + "\n", encoding="utf-8")
        (self.found / "crash").write_bytes(CRASH)
        out, err = self.corpus("merge", self.found, "--into", "into", build=build.parent, code=1,
                               fault="emotion_tags.tags")
        self.assertIn(f"ends on '{self.found / 'crash'}': property: tags", err)
        self.assertIn(f"tools/reproduce {self.found / 'crash'}", err)
        self.assertIn("0 files before, 0 now", out)
        out, _ = self.corpus("merge", self.found, "--into", "into", build=build.parent, code=0)  # Once mended.
        self.assertEqual(len(list((self.folder / "into").iterdir())), int(out[out.index("before, ") + 8]))

    def test_nothing_goes_where_it_does_not_belong(self):
        (self.found / "new").write_bytes(NEW)
        corpus = support.SOURCE / "corpus"
        for arguments, sentence in ((["--into", corpus], "a folder of one kind"),
                                    (["--into", corpus / "bodies", "--target", "notes_fuzzer"], "not what these"),
                                    (["--into", "into"], "several kinds")):
            with self.subTest(arguments=arguments):
                _, err = self.corpus("merge", self.found, *arguments, code=2)
                self.assertIn(sentence, err)
        _, err = self.corpus("merge", "nowhere", code=2)
        self.assertIn("'nowhere' is no folder", err)
        (self.folder / "empty").mkdir()
        _, err = self.corpus("merge", "empty", code=2)
        self.assertIn("There is no file in", err)


class Prune(FuzzerTest):
    def test_reports_and_deletes_nothing(self):
        seeds = sorted((support.SOURCE / "corpus" / "bodies").iterdir())
        out, _ = self.corpus("prune", "--target", "json_decode_fuzzer", code=0)
        self.assertRegex(out, rf"of {len(seeds)} seeds reach what the cases and smaller seeds do not")
        self.assertRegex(out, rf"\d+ of {len(seeds)} seeds add nothing\.")
        self.assertEqual(sorted((support.SOURCE / "corpus" / "bodies").iterdir()), seeds)

    def test_does_not_delete_on_the_word_of_some_targets(self):
        _, err = self.corpus("prune", "--target", "json_decode_fuzzer", "--apply", code=2)
        self.assertIn("does not go with --target", err)


if __name__ == "__main__":
    support.main()
