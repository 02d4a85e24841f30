import { count } from 'drizzle-orm'
import type { Config } from '../config.ts'
import { ConfigError } from '../config.ts'
import type { Database } from '../db/engine/Database.ts'
import { organisation } from '../db/schema.ts'
import { findDemo, type Demo } from './findDemo.ts'
import { seedDemo } from './seedDemo.ts'

/** Seeds an empty database, and finds the demo again in one that was seeded. Throws ConfigError when `on` meets other data. */
export async function prepareDemo(database: Database, wish: Config['demo'], now: Date): Promise<Demo | undefined> {
  if (wish === 'off') return undefined
  const [found] = await database.db.select({ organisations: count() }).from(organisation)
  if (found?.organisations === 0) await seedDemo(database.db, now)
  const demo = await findDemo(database.db, now)
  if (!demo && wish === 'on') throw new ConfigError('DEMO cannot be on: the database holds other data')
  return demo
}
