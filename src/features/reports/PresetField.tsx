import { useState } from 'react'
import { SelectField } from '../../ui/form/SelectField.tsx'
import type { Preset, ReportFormApi } from './ReportKind.ts'

const OTHER_PERIOD = ''

/** Fills in the period; typing another one says so. */
export function PresetField({ presets, form }: { presets: readonly Preset[]; form: ReportFormApi }) {
  // On the first of a month today is also this month: what was chosen stays what is shown.
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
