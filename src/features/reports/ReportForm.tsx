import { useState } from 'react'
import { useStorageRefused } from '../../blocks/devices/StorageNotice.tsx'
import { DraftNotice } from '../../blocks/drafts/DraftNotice.tsx'
import { DenominationField } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { REPORT_FORMATS } from '../../contract/reports/report.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { BranchAndPosFields } from './BranchAndPosFields.tsx'
import type { Preset, ReportFormApi, ReportKind } from './ReportKind.ts'
import type { ReportFormState } from './useReportForm.ts'

/** The one form of the reports: period, filters, and a button for each kind of file. */
export function ReportForm({ kind, report }: { kind: ReportKind; report: ReportFormState }) {
  const { form, draft, today, chooseFormat, format } = report
  const { Period } = kind
  return (
    <Form form={form}>
      <DraftNotice draft={draft} />
      <PresetField presets={kind.presets(today)} form={form} />
      <Period form={form} today={today} />
      <BranchAndPosFields branch={form.field('branch_guid')} pos={form.field('pos_guid')} />
      <DenominationField all="All denominations" {...form.field('denomination_cents')} />
      <fieldset className="field">
        <legend className="legend">Download</legend>
        <div className="mt-1 grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2">
          {REPORT_FORMATS.map((each) => (
            <Button
              key={each}
              type="submit"
              aria-label={`Download ${each.toUpperCase()}`}
              busy={form.submitting && each === format}
              onClick={() => chooseFormat(each)}
            >
              {each.toUpperCase()}
            </Button>
          ))}
        </div>
        <DownloadNote parts={kind.parts} count={kind.parts?.split(form.values).length ?? 1} />
      </fieldset>
    </Form>
  )
}

/** What will come of a tap: how many files, and when. */
function DownloadNote({ parts, count }: { parts: ReportKind['parts']; count: number }) {
  const refused = useStorageRefused()
  return (
    <div className="muted mt-2 grid gap-2">
      <p role="status" className="empty:hidden">
        {parts &&
          count > 1 &&
          `One report holds at most ${parts.longest}. This period comes in ${count} parts: CSV as one file, XLSX as ${count} files.`}
      </p>
      <p>
        {refused
          ? 'This browser stores nothing: a download starts at once and needs a connection.'
          : 'Offline, a download waits and starts once you are online.'}
      </p>
    </div>
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
