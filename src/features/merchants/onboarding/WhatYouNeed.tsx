import { Panel } from '../../../ui/Panel.tsx'

const NEEDS = [
  'The company registration number (UEN)',
  'The opening hours of your main outlet',
  'How many branches and POS terminals you have',
  'A contact for questions, and one for payments',
  'The bank account: account number, bank code and branch code',
  'Somebody who may sign the merchant agreement',
]

/** Lists what to prepare for the onboarding. It is shown after the application and at the top of the form. */
export function WhatYouNeed() {
  return (
    <Panel title="What you will need">
      <div className="p-4 text-start">
        <ul className="list-disc ps-5">
          {NEEDS.map((need) => (
            <li key={need}>{need}</li>
          ))}
        </ul>
        <p className="mt-2 text-muted in-data-empty:max-w-[26rem]">
          It takes about 15 minutes. You can stop at any time, and go on at another device: a draft is saved to your
          account.
        </p>
      </div>
    </Panel>
  )
}
