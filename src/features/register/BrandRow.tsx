import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import type { BrandEntry } from './brandEntry.ts'

interface BrandRowProps {
  brand: BrandEntry
  /** What it still needs before it can be sent. */
  fault: string | undefined
  onEdit: () => void
  onRemove: () => void
}

export function BrandRow({ brand, fault, onEdit, onRemove }: BrandRowProps) {
  const { name, logo, outlets_participating: count, outlet_type: type, terminal_types: terminals } = brand.values
  const outlets = `${count} ${Number(count) === 1 ? 'outlet' : 'outlets'}`
  return (
    <li>
      {logo?.preview ? <img className="thumb" src={logo.preview} alt="" /> : <Icon name="image" />}
      <div>
        <b className="strong">{name}</b>
        <p>
          {outlets}, {type.toLowerCase()}
        </p>
        <p>{terminals.join('; ')}</p>
        {fault && <p className="bad">{fault}</p>}
      </div>
      <div className="actions">
        <Button variant="quiet" onClick={onEdit} aria-label={`Edit ${name}`}>
          Edit
        </Button>
        <Button variant="quiet" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </div>
    </li>
  )
}
