import { call } from '../../../api/call.ts'
import { productServiceCategories } from '../../../contract/merchants/signup.ts'
import { useCachedRead } from '../../../offline/reads/useCachedRead.ts'
import { CheckboxGroup } from '../../../ui/form/CheckboxField.tsx'
import type { FormApi } from '../../../ui/form/useForm.ts'
import { ICONS } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import type { OnboardingValues } from './onboardingSchema.ts'

export function CategoryField({ form, owner }: { form: FormApi<OnboardingValues>; owner: string }) {
  const { data, phase } = useCategories(owner)
  if (phase === 'failed') {
    return (
      <Notice tone="warn" role="status" icon={ICONS.offline}>
        <p>This device has not loaded the list of categories yet. Answer this when you are online.</p>
      </Notice>
    )
  }
  return (
    <CheckboxGroup
      label="Product or service"
      hint="Everything that fits"
      inTwoColumns
      options={(data ?? []).map(({ guid, name }) => ({ value: guid, label: name }))}
      {...form.control('categories')}
    />
  )
}

/** Reads the categories of the programme, which are stored for offline use (rule 14.4). */
export const useCategories = (owner: string) =>
  useCachedRead(owner, 'productServiceCategories', productServiceCategories.answer, () =>
    call(productServiceCategories),
  )
