import { csvLine } from '../../src/domain/csv.ts'
import type { Db, Reading } from './Database.ts'
import { inTurns } from './inTurns.ts'
import type { RowSource } from './RowSource.ts'

/** A reading that asks for one batch at a time over the connections of everybody, and leaves them to others in between. */
export const batchedReading = (db: Db): Reading => ({
  db,
  rows: (source) => inTurns(source.batches(db)),
  csv: (source) => batchedCsv(db, source),
  close: () => Promise.resolve(),
})

async function* batchedCsv(db: Db, source: RowSource): ReturnType<Reading['csv']> {
  let count = 0
  for await (const batch of inTurns(source.batches(db))) {
    count += batch.length
    yield Buffer.from(batch.map(csvLine).join(''))
  }
  return count
}
