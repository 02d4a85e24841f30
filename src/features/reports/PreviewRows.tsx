import type { ReportColumn, ReportPreview } from '../../contract/reportPreview.ts'
import { columnClass } from '../../ui/tableColumn.ts'
import { formatCount, previewCell } from './previewCell.ts'

/** The first rows of the file. On a phone they scroll sideways inside their box. */
export function PreviewRows({ preview }: { preview: ReportPreview }) {
  const { columns, rows, row_count } = preview
  return (
    <>
      <div className="preview-rows">
        <table className="table" aria-label="First rows of the report">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.label} scope="col" className={classOf(column)}>
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows of a report have no name, and never change their place
              <tr key={index}>
                {columns.map((column, place) => (
                  <td key={column.label} className={classOf(column)}>
                    {previewCell(row[place] ?? '', column)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="table-foot">{rangeWords(rows.length, row_count)}</div>
    </>
  )
}

const rangeWords = (shown: number, all: number) =>
  shown < all ? `First ${shown} of ${formatCount(all)} rows` : `${formatCount(all)} ${all === 1 ? 'row' : 'rows'}`

const isFigure = ({ type }: ReportColumn) => type === 'money' || type === 'count'
const isShort = ({ label, type }: ReportColumn) => type !== 'text' || label === 'Serial number'

const classOf = (column: ReportColumn) =>
  columnClass({ ...(isFigure(column) ? { align: 'right' } : {}), ...(isShort(column) ? { nowrap: true } : {}) })
