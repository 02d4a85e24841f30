import { useEffect, useRef } from 'react'
import * as v from 'valibot'
import { onboardingFacts } from '../../../domain/merchants/submissionFacts.ts'
import { formatBytes } from '../../../domain/quantities.ts'
import { Button } from '../../../ui/Button.tsx'
import { Facts, Panel, Stack, type Fact } from '../../../ui/Panel.tsx'
import { useCategories } from './CategoryField.tsx'
import { ONBOARDING_SECTIONS } from './onboardingProgress.ts'
import { OnboardingSchema, type OnboardingValues } from './onboardingSchema.ts'

interface Props {
  values: OnboardingValues
  owner: string
  onEdit: (section: string) => void
}

/** Shows all answers once more before they are submitted. */
export function OnboardingSummary({ values, owner, onEdit }: Props) {
  const { data: categories = [] } = useCategories(owner)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  const facts = factsOf(values, categories)
  return (
    <Stack className="pb-6">
      <header>
        <h2 ref={heading} tabIndex={-1}>
          Check before you submit
        </h2>
        <p className="text-muted">“Submit for review” sends it to the provider.</p>
      </header>
      {ONBOARDING_SECTIONS.map(({ id, title }) => (
        <Panel
          key={id}
          title={title}
          level="h3"
          action={
            <Button variant="quiet" className="-mr-2" aria-label={`Edit ${title}`} onClick={() => onEdit(id)}>
              Edit
            </Button>
          }
        >
          <Facts facts={facts[id]} />
        </Panel>
      ))}
    </Stack>
  )
}

function factsOf(values: OnboardingValues, categories: { guid: string; name: string }[]) {
  const { output } = v.safeParse(OnboardingSchema, values)
  const chosen = categories.filter(({ guid }) => values.categories.includes(guid)).map(({ name }) => name)
  const file = values.merchant_agreement
  const agreement: Fact[] = [['Merchant agreement', file && `${file.filename}, ${formatBytes(file.size)}`]]
  return { ...onboardingFacts(output as v.InferOutput<typeof OnboardingSchema>, chosen), agreement }
}
