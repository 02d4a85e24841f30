import type { PrintedReceipt, ReceiptLine } from './receipt.ts'

/** Shows the receipt on the screen and on paper. The title is only printed, because the screen has it above. */
export const ReceiptPaper = ({ from, title, mark, lines, note }: Omit<PrintedReceipt, 'code'>) => (
  <div className="torn-foot grid gap-3 rounded-2 bg-stub-surface px-4 pt-4 pb-6 print:gap-2 print:p-0 print:text-xs">
    {from.length > 0 && (
      <div className="text-center wrap-anywhere" translate="no">
        {from.map((name, place) => (
          <p key={name} className={place === 0 ? 'text-lg font-strong print:text-sm' : undefined}>
            {name}
          </p>
        ))}
      </div>
    )}
    <p className="hidden text-center text-sm font-strong print:block">{title}</p>
    {mark && (
      <p className="rounded-1 border-2 border-current px-2 py-1 text-center text-lg font-strong print:text-sm">
        {mark}
      </p>
    )}
    <ReceiptLines lines={lines} />
    {note && <p className="text-center text-sm text-muted print:text-xs">{note}</p>}
  </div>
)

/** Shows each name at the left and its value at the right, or below if the paper is too narrow. */
const ReceiptLines = ({ lines }: { lines: readonly ReceiptLine[] }) => (
  <dl className="border-t-2 border-dashed border-stub-border">
    {lines.map(([name, value], place) => (
      <div
        // oxlint-disable-next-line react/no-array-index-key -- two vouchers of a bill have lines of one name
        key={place}
        className="flex flex-wrap justify-between gap-x-4 border-t border-border py-2 first:border-t-0 print:break-inside-avoid print:gap-x-2 print:py-0.5"
      >
        <dt className="text-muted">
          <UnbrokenNumbers text={name} />
        </dt>
        <dd className="ml-auto text-right wrap-anywhere" translate="no">
          <UnbrokenNumbers text={value} />
        </dd>
      </div>
    ))}
  </dl>
)

/** Matches serials and receipt numbers, which a browser would break at a space or hyphen. */
const UNBROKEN = /([RP]-\d+|\b\d \d{6} \d{6}\b)/

const UnbrokenNumbers = ({ text }: { text: string }) =>
  text.split(UNBROKEN).map((part, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no other name
    <span key={place} className={place % 2 === 1 ? 'whitespace-nowrap' : undefined}>
      {part}
    </span>
  ))
