import { useState } from 'react'

const PER_PAGE = Number(new URLSearchParams(location.search).get('rows') ?? 10)
const ROWS = Array.from({ length: 1_200 }, (_, n) => [
  `2 004839 ${String(n).padStart(6, '0')}`,
  '$10.00',
  'Used',
  '21 Nov 2026, 09:41',
  'Tampines Central',
  '31 Dec 2026',
])

/** The least a table with pages can be: the rows are in the browser, and nothing else is on the screen. */
export function Vouchers() {
  const [page, setPage] = useState(0)
  return (
    <>
      <table>
        <tbody>
          {ROWS.slice(page * PER_PAGE, (page + 1) * PER_PAGE).map(([serial, ...cells]) => (
            <tr key={serial}>
              <td>{serial}</td>
              {cells.map((cell) => (
                <td key={cell}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" aria-label="Next page" onClick={() => setPage(page + 1)}>
        Next
      </button>
    </>
  )
}
