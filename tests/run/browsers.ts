import { ENGINE_PROGRAMS, PROGRAMS, providePrograms } from './programs.ts'
import { runCommand } from './runCommand.ts'

/** `npm run test:browsers`: tests the same behaviours in every engine. Arguments after `--` go to Playwright. */
const lacking = await providePrograms([PROGRAMS.shippedPostgres, PROGRAMS.chromium, ...ENGINE_PROGRAMS])
for (const words of lacking.values()) console.error(words)
const config = 'tests/browsers/browsers.config.ts'
process.exitCode = await runCommand(['playwright', 'test', '-c', config, ...process.argv.slice(2)])
