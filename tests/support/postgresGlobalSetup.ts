import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { makeTemplate } from './testDatabase.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string
  }
}

/** One PostgreSQL for all files of a project, with the template of their databases. */
export default async function postgresGlobalSetup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres({ version: project.name === 'server-oldest' ? 'oldest' : 'shipped' })
  const url = await postgres.createDatabase('test')
  await makeTemplate(url)
  project.provide('postgres', url)
  return () => postgres.stop()
}
