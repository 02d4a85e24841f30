import { reportApi } from '../../api/report.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { ReportPreview, type ReportPreviewRequest } from '../../contract/reports/reportPreview.ts'
import { readKey } from '../../offline/reads/cachedRead.ts'
import { type CachedRead, useCachedRead } from '../../offline/reads/useCachedRead.ts'

/** What a report would hold. The same request shows what the device kept of it while there is no line. */
export function useReportPreview(request: ReportPreviewRequest): CachedRead<ReportPreview> {
  const { guid } = useUser()
  return useCachedRead(guid, readKey('report.preview', request), ReportPreview, (signal) =>
    reportApi.preview({ body: request, signal }),
  )
}
