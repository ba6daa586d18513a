# What tools/reproduce --gdb does without a terminal: where it crashed, or the exit code of a run to the end.
run
if $_isvoid($_exitcode)
  bt
  quit 1
end
quit $_exitcode
