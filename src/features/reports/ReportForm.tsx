import { useState } from 'react'
import { useStorageRefused } from '../../blocks/devices/StorageNotice.tsx'
import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import { DenominationField } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { REPORT_FORMATS, type OutboxIntent } from '../../contract/reports/report.ts'
import { requestsOf } from '../../offline/outbox/downloadRequests.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { RadioField } from '../../ui/form/RadioField.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { BranchAndPosFields } from './BranchAndPosFields.tsx'
import type { Preset, ReportFormApi, ReportKind } from './ReportKind.ts'
import { partsTitle } from './reportRequest.ts'
import type { ReportFormState } from './useReportForm.ts'

/** The one form of the reports: period, filters, file. */
export function ReportForm({ kind, report }: { kind: ReportKind; report: ReportFormState }) {
  const { form, draft, today, request } = report
  const { Period, longest } = kind
  const inParts = longest?.split(form.values)
  const requestParts = async (intent: OutboxIntent) => {
    const failure = await request(intent, partsTitle(kind.title, intent))
    if (failure) showToast({ tone: 'danger', text: failure.message })
  }
  return (
    <Form form={form}>
      <DraftNotice draft={draft} />
      <PresetField presets={kind.presets(today)} form={form} />
      <Period form={form} today={today} />
      {longest && inParts && <SplitOffer longest={longest} intent={inParts} onRequest={requestParts} />}
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

const OTHER_PERIOD = ''

/** Fills in the period. When another period is typed, it shows "Other". */
function PresetField({ presets, form }: { presets: readonly Preset[]; form: ReportFormApi }) {
  // On the first of a month "Today" and "This month" are the same period: the one that was chosen stays shown.
  const [chosen, setChosen] = useState<string>()
  const fits = ({ period }: Preset) => Object.entries(period).every(([name, value]) => form.values[name] === value)
  const current = presets.find((preset) => preset.label === chosen && fits(preset)) ?? presets.find(fits)
  const choose = (label: string) => {
    setChosen(label)
    const preset = presets.find((each) => each.label === label)
    if (preset) form.setValues(preset.period)
  }
  return (
    <SelectField
      label="Period"
      value={chosen === OTHER_PERIOD ? OTHER_PERIOD : (current?.label ?? OTHER_PERIOD)}
      onChange={choose}
      options={[...presets.map(({ label }) => ({ value: label, label })), { value: OTHER_PERIOD, label: 'Other' }]}
    />
  )
}

interface SplitOfferProps {
  longest: NonNullable<ReportKind['longest']>
  intent: OutboxIntent
  onRequest: (intent: OutboxIntent) => Promise<void>
}

/** A range that is too long for one report is downloaded in parts, one after the other. */
function SplitOffer({ longest, intent, onRequest }: SplitOfferProps) {
  const [busy, setBusy] = useState(false)
  const request = async () => {
    setBusy(true)
    await onRequest(intent).finally(() => setBusy(false))
  }
  return (
    <div className="split-offer" role="status">
      <p>One report holds at most {longest.words}. A longer range comes in parts, merged to one CSV file.</p>
      <Button wide icon="download" busy={busy} onClick={() => void request()}>
        Download as {requestsOf(intent).length} parts, merged
      </Button>
    </div>
  )
}
