import type { Export } from '../services/tables/readTable.ts'
import type { FileAnswer } from './Route.ts'

export const csvAnswer = (file: Export): FileAnswer => ({ ...file, contentType: 'text/csv; charset=utf-8' })
