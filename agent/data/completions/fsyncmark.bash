_fsyncmark() {
local i cur prev opts cmd
COMPREPLY=()
if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
cur="$2"
else
cur="${COMP_WORDS[COMP_CWORD]}"
fi
prev="$3"
cmd=""
opts=""

for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
do
case "${cmd},${i}" in
",$1")
cmd="fsyncmark"
;;
fsyncmark,compare)
cmd="fsyncmark__subcmd__compare"
;;
fsyncmark,completions)
cmd="fsyncmark__subcmd__completions"
;;
fsyncmark,doctor)
cmd="fsyncmark__subcmd__doctor"
;;
fsyncmark,explain)
cmd="fsyncmark__subcmd__explain"
;;
fsyncmark,fio)
cmd="fsyncmark__subcmd__fio"
;;
fsyncmark,help)
cmd="fsyncmark__subcmd__help"
;;
fsyncmark,history)
cmd="fsyncmark__subcmd__history"
;;
fsyncmark,info)
cmd="fsyncmark__subcmd__info"
;;
fsyncmark,key)
cmd="fsyncmark__subcmd__key"
;;
fsyncmark,login)
cmd="fsyncmark__subcmd__login"
;;
fsyncmark,man)
cmd="fsyncmark__subcmd__man"
;;
fsyncmark,report)
cmd="fsyncmark__subcmd__report"
;;
fsyncmark,run)
cmd="fsyncmark__subcmd__run"
;;
fsyncmark,upload)
cmd="fsyncmark__subcmd__upload"
;;
fsyncmark,verify)
cmd="fsyncmark__subcmd__verify"
;;
fsyncmark,withdraw)
cmd="fsyncmark__subcmd__withdraw"
;;
fsyncmark__subcmd__help,compare)
cmd="fsyncmark__subcmd__help__subcmd__compare"
;;
fsyncmark__subcmd__help,completions)
cmd="fsyncmark__subcmd__help__subcmd__completions"
;;
fsyncmark__subcmd__help,doctor)
cmd="fsyncmark__subcmd__help__subcmd__doctor"
;;
fsyncmark__subcmd__help,explain)
cmd="fsyncmark__subcmd__help__subcmd__explain"
;;
fsyncmark__subcmd__help,fio)
cmd="fsyncmark__subcmd__help__subcmd__fio"
;;
fsyncmark__subcmd__help,help)
cmd="fsyncmark__subcmd__help__subcmd__help"
;;
fsyncmark__subcmd__help,history)
cmd="fsyncmark__subcmd__help__subcmd__history"
;;
fsyncmark__subcmd__help,info)
cmd="fsyncmark__subcmd__help__subcmd__info"
;;
fsyncmark__subcmd__help,key)
cmd="fsyncmark__subcmd__help__subcmd__key"
;;
fsyncmark__subcmd__help,login)
cmd="fsyncmark__subcmd__help__subcmd__login"
;;
fsyncmark__subcmd__help,man)
cmd="fsyncmark__subcmd__help__subcmd__man"
;;
fsyncmark__subcmd__help,report)
cmd="fsyncmark__subcmd__help__subcmd__report"
;;
fsyncmark__subcmd__help,run)
cmd="fsyncmark__subcmd__help__subcmd__run"
;;
fsyncmark__subcmd__help,upload)
cmd="fsyncmark__subcmd__help__subcmd__upload"
;;
fsyncmark__subcmd__help,verify)
cmd="fsyncmark__subcmd__help__subcmd__verify"
;;
fsyncmark__subcmd__help,withdraw)
cmd="fsyncmark__subcmd__help__subcmd__withdraw"
;;
fsyncmark__subcmd__help__subcmd__key,rotate)
cmd="fsyncmark__subcmd__help__subcmd__key__subcmd__rotate"
;;
fsyncmark__subcmd__key,help)
cmd="fsyncmark__subcmd__key__subcmd__help"
;;
fsyncmark__subcmd__key,rotate)
cmd="fsyncmark__subcmd__key__subcmd__rotate"
;;
fsyncmark__subcmd__key__subcmd__help,help)
cmd="fsyncmark__subcmd__key__subcmd__help__subcmd__help"
;;
fsyncmark__subcmd__key__subcmd__help,rotate)
cmd="fsyncmark__subcmd__key__subcmd__help__subcmd__rotate"
;;
*)
;;
esac
done

case "${cmd}" in
fsyncmark)
opts="-h --help run info doctor verify upload key login withdraw compare history explain report fio man completions help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__compare)
opts="-h --runs --fail-if-slower --figure --only --junit --server --markdown --json --help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
--runs)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--fail-if-slower)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--figure)
COMPREPLY=($(compgen -W "rate p50 p99 p99.9" -- "${cur}"))
return 0
;;
--only)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--junit)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--server)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__completions)
opts="-h --help bash zsh fish"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__doctor)
opts="-h --help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__explain)
opts="-h --help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__fio)
opts="-h --help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help)
opts="run info doctor verify upload key login withdraw compare history explain report fio man completions help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__compare)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__completions)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__doctor)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__explain)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__fio)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__help)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__history)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__info)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__key)
opts="rotate"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__key__subcmd__rotate)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 4 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__login)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__man)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__report)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__run)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__upload)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__verify)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__help__subcmd__withdraw)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__history)
opts="-h --markdown --json --help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__info)
opts="-h --provider --plan --region --ask-cloud --json --help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
--provider)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--plan)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--region)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__key)
opts="-h --server --help rotate help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
--server)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__key__subcmd__help)
opts="rotate help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__key__subcmd__help__subcmd__help)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 4 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__key__subcmd__help__subcmd__rotate)
opts=""
if [[ ${cur} == -* || ${COMP_CWORD} -eq 4 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__key__subcmd__rotate)
opts="-h --server --help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
--server)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__login)
opts="-h --server --help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
--server)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__man)
opts="-h --help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__report)
opts="-h --html --help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
--html)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__run)
opts="-h --suite --only --skip --dry-run --as-fio --server --provider --plan --region --ask-cloud --run-id --ticket --no-wait --no-upload --json --html --wait-quiet --yes --help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
--suite)
COMPREPLY=($(compgen -W "quick standard deep" -- "${cur}"))
return 0
;;
--only)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--skip)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--server)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--provider)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--plan)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--region)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--ask-cloud)
COMPREPLY=($(compgen -W "type proof" -- "${cur}"))
return 0
;;
--run-id)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--ticket)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--html)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--wait-quiet)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__upload)
opts="-h --server --yes --no-wait --json --help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
--server)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__verify)
opts="-h --key --help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
--key)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
fsyncmark__subcmd__withdraw)
opts="-h --reason --undo --server --help"
if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
fi
case "${prev}" in
--reason)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
--server)
COMPREPLY=($(compgen -f "${cur}"))
return 0
;;
*)
COMPREPLY=()
;;
esac
COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
return 0
;;
esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
complete -F _fsyncmark -o nosort -o bashdefault -o default fsyncmark
else
complete -F _fsyncmark -o bashdefault -o default fsyncmark
fi
