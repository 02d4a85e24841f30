import { ENGINES, installedEngines } from '../support/engines/engines.ts'
import type { Program } from './programs.ts'

type Engine = (typeof ENGINES)[number]

const isOther = ({ name }: Engine) => name !== 'chromium'

/** The engines beside the Chromium of the browser tests. One that only a caller can name counts when it was named. */
export const enginePrograms = (missing: 'are installed' | 'are told'): Program[] =>
  ENGINES.filter((engine) => isOther(engine) && (engine.packages ?? engine.version())).map((engine) =>
    programOf(engine, missing === 'are installed'),
  )

function programOf({ name, version, packages }: Engine, installs: boolean): Program {
  const program = { name, version, oldest: '0', why: 'any will do', without: 'nothing is tested in it' }
  const how = installs && packages ? { packages } : { installedBy: 'npm run test:browsers' }
  return Object.assign(program, how)
}

/** Of those that are installed. */
export const engineNames = (): string[] =>
  installedEngines()
    .filter(isOther)
    .map(({ name }) => name)
