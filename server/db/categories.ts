import { asc, inArray } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'
import { productServiceCategory } from './schema.ts'

const columns = { guid: productServiceCategory.id, name: productServiceCategory.name }

export const listCategories = (db: Db) =>
  db.select(columns).from(productServiceCategory).orderBy(asc(productServiceCategory.position))

/** Those of `guids` that exist, in the order of the list. */
export const findCategories = (db: Db, guids: string[]) =>
  db
    .select(columns)
    .from(productServiceCategory)
    .where(inArray(productServiceCategory.id, guids))
    .orderBy(asc(productServiceCategory.position))
