import { reportPreview } from '../contract/reports/reportPreview.ts'
import { resource } from './resource.ts'

/** Calls of the report screens; their files come by `reportFile`. */
export const reportApi = resource({ preview: reportPreview })
