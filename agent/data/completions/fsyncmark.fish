# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_fsyncmark_global_optspecs
string join \n h/help
end

function __fish_fsyncmark_needs_command
# Figure out if the current invocation already has a command.
set -l cmd (commandline -opc)
set -e cmd[1]
argparse -s (__fish_fsyncmark_global_optspecs) -- $cmd 2>/dev/null
or return
if set -q argv[1]
# Also print the command, so this can be used to figure out what it is.
echo $argv[1]
return 1
end
return 0
end

function __fish_fsyncmark_using_subcommand
set -l cmd (__fish_fsyncmark_needs_command)
test -z "$cmd"
and return 1
contains -- $cmd[1] $argv
end

complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -s h -l help -d 'Print help'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "run" -d 'Measure the disk behind a folder'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "info" -d 'Show what was found about the machine, and every byte that an upload would carry'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "doctor" -d 'Check whether a folder can be measured well, and say what to do if not'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "verify" -d 'Check the signature and the figures of a signed result'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "upload" -d 'Send results that wait in the spool, or the named files'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "key" -d 'Show this machine\'s public key, its file and its state on a server; makes it on first use'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "login" -d 'Link this machine\'s key with your account on a server'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "withdraw" -d 'Withdraw a run that this machine\'s key sent: it counts no more, and keeps its page'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "compare" -d 'Put two results side by side, or a result and a plan of a server'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "history" -d 'List what was measured here before'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "explain" -d 'Say what a workload, label, note, class, level or term means, and what to do about it'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "report" -d 'Show a kept result again, or make a page of it'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "fio" -d 'Say which workload comes nearest to a job of fio, and what differs'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "man" -d 'Print the manual page: fsyncmark man > fsyncmark.1'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "completions" -d 'Print the completions of a shell: source <(fsyncmark completions bash)'
complete -c fsyncmark -n "__fish_fsyncmark_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l suite -d 'What to measure' -r -f -a "quick\t''
standard\t''
deep\t''"
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l only -d 'Only these workloads of the suite, separated by commas' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l skip -d 'Not these workloads of the suite' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l server -d 'Where to send the result, for example https://bench.example.org; else $FSYNCMARK_SERVER, else nowhere' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l provider -d 'Who rents the machine out, for example Hetzner; Home for your own' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l plan -d 'The provider\'s name for what you rent, for example AX102 or gp3' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l region -d 'The provider\'s name for the place, for example fsn1' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l ask-cloud -d 'Ask the cloud\'s metadata service, inside its own network and without a token, for instance type and region; else nobody is asked. With =proof, also send the server, apart from the result, what the provider signed of this machine, which names account and instance' -r -f -a "type\t'Instance type and region'
proof\t'And what the provider signed of this machine'"
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l run-id -d 'The id of the run, a UUID of version 7 in lower case, where somebody looks for it at the server; else a new one' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l ticket -d 'A ticket of the server, which says for whose account this one run counts; else $FSYNCMARK_TICKET, which other processes here do not see' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l html -d 'Write a page with charts into this file, which needs nothing else' -r -F
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l wait-quiet -d 'Wait up to SECONDS, a day at most, until other programs leave the machine alone; 0 begins at once. Without it, a short while on a terminal' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l dry-run -d 'Print what would be measured, what it would write and how long it would take; write nothing'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l as-fio -d 'Print the fio command that does the same as each workload, or why fio cannot; measure nothing'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l no-wait -d 'Do not wait for what the server makes of it'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l no-upload -d 'Send nothing and do not ask; the signed result is kept for `fsyncmark upload`'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l json -d 'Print the whole result as one JSON object on stdout, and nothing else there'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -l yes -d 'Agree to publish the signed result under CC0, and to write as much as the suite asks for, without being asked'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand info" -l provider -d 'Who rents the machine out, for example Hetzner; Home for your own' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand info" -l plan -d 'The provider\'s name for what you rent, for example AX102 or gp3' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand info" -l region -d 'The provider\'s name for the place, for example fsn1' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand info" -l ask-cloud -d 'Ask the cloud\'s metadata service too, as run --ask-cloud does'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand info" -l json -d 'Print only what an upload would carry, as one JSON object'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand info" -s h -l help -d 'Print help'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand verify" -l key -d 'The public key in base64 that must have signed it; not needed for this machine\'s own' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand verify" -s h -l help -d 'Print help'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand upload" -l server -d 'Where to send them, for example https://bench.example.org; else $FSYNCMARK_SERVER' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand upload" -l yes -d 'Agree to publish the signed results under CC0, without being asked'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand upload" -l no-wait -d 'Do not wait for what the server makes of it'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand upload" -l json -d 'Print what became of each as one JSON object a line, and nothing else on stdout'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand upload" -s h -l help -d 'Print help'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand key; and not __fish_seen_subcommand_from rotate help" -l server -d 'Which server, for example https://bench.example.org; else $FSYNCMARK_SERVER' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand key; and not __fish_seen_subcommand_from rotate help" -s h -l help -d 'Print help'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand key; and not __fish_seen_subcommand_from rotate help" -f -a "rotate" -d 'Replace the key by a new one, which its owner and its runs follow'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand key; and not __fish_seen_subcommand_from rotate help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand key; and __fish_seen_subcommand_from rotate" -l server -d 'Which server, for example https://bench.example.org; else $FSYNCMARK_SERVER' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand key; and __fish_seen_subcommand_from rotate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand key; and __fish_seen_subcommand_from help" -f -a "rotate" -d 'Replace the key by a new one, which its owner and its runs follow'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand key; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand login" -l server -d 'Which server, for example https://bench.example.org; else $FSYNCMARK_SERVER' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand login" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand withdraw" -l reason -d 'Why, for its page' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand withdraw" -l server -d 'Which server, where RUN is no address; else $FSYNCMARK_SERVER' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand withdraw" -l undo -d 'Take a withdrawal back'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand withdraw" -s h -l help -d 'Print help'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand compare" -l runs -d 'Only with last: beside the middle of so many runs before it, as far as there are so many' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand compare" -l fail-if-slower -d 'End in 1 if B is slower by more than this, such as 10%, and by more than either varies' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand compare" -l figure -d 'Of which figure --fail-if-slower speaks; percentiles need --runs=3 or more' -r -f -a "rate\t'Operations a second'
p50\t'The median latency'
p99\t'What one operation of a hundred exceeds'
p99.9\t'What one operation of a thousand exceeds'"
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand compare" -l only -d 'Of which workloads it speaks, separated by commas; else of commit-8k' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand compare" -l junit -d 'Write what --fail-if-slower found into this file, as JUnit\'s XML' -r -F
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand compare" -l server -d 'The server that knows the plan, for example https://bench.example.org; else $FSYNCMARK_SERVER' -r
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand compare" -l markdown -d 'Print the comparison as a table in Markdown'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand compare" -l json -d 'Print the comparison as one JSON object'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand compare" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand history" -l markdown -d 'Print it as a table in Markdown'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand history" -l json -d 'Print it as one JSON object'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand history" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand explain" -s h -l help -d 'Print help'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand report" -l html -d 'Write a page with charts into this file, which needs nothing else' -r -F
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand report" -s h -l help -d 'Print help'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand fio" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand man" -s h -l help -d 'Print help'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "run" -d 'Measure the disk behind a folder'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "info" -d 'Show what was found about the machine, and every byte that an upload would carry'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "doctor" -d 'Check whether a folder can be measured well, and say what to do if not'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "verify" -d 'Check the signature and the figures of a signed result'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "upload" -d 'Send results that wait in the spool, or the named files'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "key" -d 'Show this machine\'s public key, its file and its state on a server; makes it on first use'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "login" -d 'Link this machine\'s key with your account on a server'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "withdraw" -d 'Withdraw a run that this machine\'s key sent: it counts no more, and keeps its page'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "compare" -d 'Put two results side by side, or a result and a plan of a server'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "history" -d 'List what was measured here before'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "explain" -d 'Say what a workload, label, note, class, level or term means, and what to do about it'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "report" -d 'Show a kept result again, or make a page of it'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "fio" -d 'Say which workload comes nearest to a job of fio, and what differs'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "man" -d 'Print the manual page: fsyncmark man > fsyncmark.1'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "completions" -d 'Print the completions of a shell: source <(fsyncmark completions bash)'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and not __fish_seen_subcommand_from run info doctor verify upload key login withdraw compare history explain report fio man completions help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c fsyncmark -n "__fish_fsyncmark_using_subcommand help; and __fish_seen_subcommand_from key" -f -a "rotate" -d 'Replace the key by a new one, which its owner and its runs follow'
