import type { Export } from '../services/readTable.ts'
import type { FileAnswer } from './Route.ts'

export const csvAnswer = ({ filename, pieces }: Export): FileAnswer => ({
  filename,
  contentType: 'text/csv; charset=utf-8',
  pieces,
  release: () => Promise.resolve(),
})
