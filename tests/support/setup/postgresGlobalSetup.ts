import type { TestProject } from 'vitest/node'
import { startTestPostgres } from '../database/testDatabase.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string
  }
}

/** Starts one PostgreSQL for all files of a project. */
export default async function postgresGlobalSetup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startTestPostgres(project.name === 'server-oldest' ? 'oldest' : 'shipped')
  project.provide('postgres', url)
  return stop
}
