import { AssertionError } from 'node:assert'
import { createHash } from 'node:crypto'
import { testServer } from '../support/server/testServer.ts'
import { World, type WorldOptions } from './World.ts'

export interface Life {
  /** The broken promise, as one line. */
  broken: string | undefined
  story: readonly string[]
  events: number
  receipts: number
  /** Processor time. */
  seconds: number
}

/** Runs one world on a new database. */
export async function liveWorld(options: WorldOptions): Promise<Life> {
  const server = await testServer()
  const story: string[] = []
  const before = process.cpuUsage()
  const world = new World(server, options, (line) => story.push(line))
  let broken: string | undefined
  const noteUncaught = (reason: unknown) => {
    broken ??= `nobody caught ${String(reason)}`
  }
  process.on('unhandledRejection', noteUncaught)
  try {
    await world.live()
  } catch (error) {
    broken = wordsOf(error)
  } finally {
    await server.close()
    process.off('unhandledRejection', noteUncaught)
  }
  if (broken !== undefined) story.push(`broken: ${broken}`)
  const { user, system } = process.cpuUsage(before)
  return { broken, story, events: world.timeline.steps, receipts: world.heard.size, seconds: (user + system) / 1e6 }
}

function wordsOf(error: unknown): string {
  if (error instanceof AssertionError) return error.message.split('\n')[0]!
  return String((error as Error).stack)
}

/** Digest of a story: the same for two runs of one seed. */
export const digestOf = (story: readonly string[]): string =>
  createHash('sha256').update(story.join('\n')).digest('hex').slice(0, 16)
