import { spawn, type ChildProcess } from 'node:child_process'

/** `npm run dev`: runs the server, restarted on change, behind Vite, which serves the portal and reloads it. Ends both when one ends. */
const children: ChildProcess[] = [
  run('node', [
    '--import',
    'tsx',
    '--watch-path=server',
    '--watch-path=src/contract',
    '--watch-path=src/domain',
    'server/main.ts',
  ]),
  run('node_modules/.bin/vite', []),
]

for (const child of children) child.on('exit', endAll)
process.on('SIGINT', endAll)
process.on('SIGTERM', endAll)

function run(command: string, args: string[]) {
  return spawn(command, args, { stdio: 'inherit' })
}

function endAll() {
  for (const child of children) child.kill()
}
