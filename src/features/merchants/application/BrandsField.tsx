import { useRef } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { Thumbnail } from '../../../blocks/uploads/FileBox.tsx'
import { LIMITS } from '../../../contract/limits.ts'
import { confirm } from '../../../state/dialogs.ts'
import { Actions, Button } from '../../../ui/Button.tsx'
import { FieldSet } from '../../../ui/form/CheckboxField.tsx'
import { FieldNotes, useControlLinks } from '../../../ui/form/Field.tsx'
import type { FormApi } from '../../../ui/form/useForm.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Box, Item } from '../../../ui/Panel.tsx'
import { NEW_BRAND } from './applicationDraft.ts'
import type { ApplicationValues } from './applicationSchema.ts'
import { BrandDialog } from './BrandDialog.tsx'
import { brandFaults, emailsOfOthers, EMPTY_BRAND, type BrandEntry, type BrandValues } from './brands.ts'

/** The list of participating brands, and a dialog that adds or edits one brand. */
export function BrandsField({ form }: { form: FormApi<ApplicationValues> }) {
  const { id, value: brands, error, onChange } = form.control('brands')
  const { editing } = form.values
  const addButton = useRef<HTMLButtonElement>(null)
  const links = useControlLinks(id, undefined, error)
  const faults = brandFaults(brands)
  const isFull = brands.length >= LIMITS.brands
  const openDialog = (brandId: string) => form.setValues({ editing: brandId })
  const closeDialog = () => form.setValues({ editing: '' })

  const edited = brands.find((brand) => brand.id === editing)
  const save = (values: BrandValues) => {
    const brand = { id: edited?.id ?? uuidv7(), values }
    const next = edited ? brands.map((each) => (each.id === brand.id ? brand : each)) : [...brands, brand]
    form.setValues({ brands: next, editing: '' })
  }
  const remove = async ({ id: removedId, values }: BrandEntry) => {
    const isConfirmed = await confirm({
      title: `Remove ${values.name}?`,
      consequence: 'The brand, its logo and its contact are removed from this application.',
      act: 'Remove brand',
      dismiss: 'Keep',
      destructive: true,
    })
    if (!isConfirmed) return
    onChange(brands.filter((brand) => brand.id !== removedId))
    addButton.current?.focus()
  }

  return (
    <FieldSet label="Participating brands" labelHidden {...links}>
      <FieldNotes id={links.id} label="Participating brands" error={error} />
      {brands.length > 0 && (
        <Box>
          <ul>
            {brands.map((brand) => (
              <BrandRow
                key={brand.id}
                brand={brand}
                fault={faults.get(brand.id)}
                onEdit={() => openDialog(brand.id)}
                onRemove={() => void remove(brand)}
              />
            ))}
          </ul>
        </Box>
      )}
      <div className="mt-2 flex items-center gap-2">
        <Button
          ref={addButton}
          icon={ICONS.plus}
          onClick={() => openDialog(NEW_BRAND)}
          aria-disabled={isFull || undefined}
        >
          Add brand
        </Button>
        {isFull && <span className="text-muted">{LIMITS.brands} brands at most.</span>}
      </div>
      {editing !== '' && (
        <BrandDialog
          key={editing}
          brandId={edited?.id ?? NEW_BRAND}
          initial={edited?.values ?? EMPTY_BRAND}
          otherEmails={emailsOfOthers(brands, editing)}
          onSaved={save}
          onClose={closeDialog}
        />
      )}
    </FieldSet>
  )
}

interface BrandRowProps {
  brand: BrandEntry
  /** The message about the brand's first error; undefined if the brand has none. */
  fault: string | undefined
  onEdit: () => void
  onRemove: () => void
}

function BrandRow({ brand, fault, onEdit, onRemove }: BrandRowProps) {
  const { name, logo, outlets_participating: count, outlet_type: type, terminal_types: terminals } = brand.values
  const outlets = `${count} ${Number(count) === 1 ? 'outlet' : 'outlets'}`
  return (
    <Item
      mark={logo?.preview ? <Thumbnail src={logo.preview} /> : <Icon drawing={ICONS.image} />}
      action={
        <Actions className="phone:col-start-2 phone:-col-end-1">
          <Button variant="quiet" className="-mx-2" onClick={onEdit} aria-label={`Edit ${name}`}>
            Edit
          </Button>
          <Button variant="quiet" className="-mx-2" onClick={onRemove} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        </Actions>
      }
    >
      <b className="font-strong">{name}</b>
      <p className="text-muted">{`${outlets}, ${type.toLowerCase()}`}</p>
      <p className="text-muted">{terminals.join('; ')}</p>
      {fault && <p className="text-danger-text">{fault}</p>}
    </Item>
  )
}
