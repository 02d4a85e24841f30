import { DenominationField } from '../../blocks/DenominationField.tsx'
import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import { useStorageRefused } from '../../blocks/useStorageRefused.ts'
import { REPORT_FORMATS } from '../../contract/report.ts'
import type { OutboxIntent } from '../../contract/reports/report.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { RadioField } from '../../ui/form/RadioField.tsx'
import { BranchAndPosFields } from './BranchAndPosFields.tsx'
import { PresetField } from './PresetField.tsx'
import { partsTitle } from './reportIntent.ts'
import type { ReportKind } from './ReportKind.ts'
import { SplitOffer } from './SplitOffer.tsx'
import type { ReportFormState } from './useReportForm.ts'

/** The one form of the reports: period, filters, file. */
export function ReportForm({ kind, report }: { kind: ReportKind; report: ReportFormState }) {
  const { form, draft, today, take } = report
  const { Period, longest } = kind
  const inParts = longest?.split(form.values)
  const takeParts = async (intent: OutboxIntent) => {
    const failure = await take(intent, partsTitle(kind.title, intent))
    if (failure) showToast({ tone: 'danger', text: failure.message })
  }
  return (
    <Form form={form}>
      <DraftNotice draft={draft} />
      <PresetField presets={kind.presets(today)} form={form} />
      <Period form={form} today={today} />
      {longest && inParts && <SplitOffer longest={longest} intent={inParts} onTake={takeParts} />}
      <BranchAndPosFields branch={form.field('branch_guid')} pos={form.field('pos_guid')} />
      <DenominationField all="All denominations" {...form.field('denomination_cents')} />
      <RadioField label="File" {...form.field('format')} options={FORMATS} />
      <Button type="submit" variant="primary" wide icon="download" busy={form.submitting}>
        Download
      </Button>
      <DownloadNote />
    </Form>
  )
}

const FORMATS = REPORT_FORMATS.map((format) => ({ value: format, label: format.toUpperCase() }))

function DownloadNote() {
  const refused = useStorageRefused()
  return (
    <p className="muted">
      {refused
        ? 'This browser keeps nothing on the device: the download starts at once and needs a connection.'
        : 'Without a connection the download is queued and starts once the device is online.'}
    </p>
  )
}
