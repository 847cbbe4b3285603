import type { ReactElement, ReactNode } from 'react'

export type RowProps = {
  mark: ReactNode
  name: string
  /** A second line. */
  sub?: ReactNode
  /** A word or two about it, at the end. */
  tag?: ReactNode
  onChoose(): void
}

/** One thing to choose among others. */
export function Row({ mark, name, sub, tag, onChoose }: RowProps): ReactElement {
  return (
    <li>
      <button type="button" className="row" part="row" onClick={onChoose}>
        {mark}
        <span className="text">
          <span className="name">{name}</span>
          {sub !== undefined && <span className="sub">{sub}</span>}
        </span>
        {tag !== undefined && <span className="tag">{tag}</span>}
      </button>
    </li>
  )
}

/** The room of rows that are on their way. */
export function SkeletonRows({ count }: { count: number }): ReactElement[] {
  return Array.from({ length: count }, (_, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- nothing tells skeletons apart
    <li key={`skeleton ${index}`} className="row" aria-hidden="true">
      <span className="skeleton" />
      <span className="skeleton" />
    </li>
  ))
}
