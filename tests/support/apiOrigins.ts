import { freePort } from './server/freePort.ts'

const VARIABLE = 'TEST_API_ORIGINS'
const COUNT = 2

/** Picks the origins that the builds under test may be pointed at. Before the builds: they are fixed in them. */
export async function pickApiOrigins(): Promise<void> {
  const ports = await Promise.all(Array.from({ length: COUNT }, freePort))
  process.env[VARIABLE] = ports.map((port) => `http://127.0.0.1:${port}`).join(',')
}

/** The origins of this run's allow-list; none outside of a browser run. */
export const apiOrigins = (): string[] => (process.env[VARIABLE] ?? '').split(',').filter(Boolean)
