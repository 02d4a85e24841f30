import { ENGINES } from '../support/engines/engines.ts'
import { PROGRAMS } from './programs.ts'
import { providePrograms } from './providePrograms.ts'
import { runCommand } from './runCommand.ts'

/** `npm run test:browsers`: the same behaviours in every engine. What stands behind `--` is Playwright's. */
const ANY = { oldest: '0', why: 'any will do', without: 'nothing is tested in it' }
const isWanted = ({ name, packages, version }: (typeof ENGINES)[number]) =>
  name !== 'chromium' && (packages !== undefined || version() !== undefined)
const others = ENGINES.filter(isWanted).map((engine) => Object.assign({ ...ANY }, engine))
const lacking = await providePrograms([PROGRAMS.shippedPostgres, PROGRAMS.chromium, ...others])
for (const words of lacking.values()) console.error(words)
const config = 'tests/browsers/browsers.config.ts'
process.exitCode = await runCommand(['playwright', 'test', '-c', config, ...process.argv.slice(2)])
