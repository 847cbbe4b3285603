import { useCallback, type ReactElement } from 'react'
import type { Pages } from '../../../queries/pagesQuery.ts'
import { holdingsPart } from '../../../strings/holdings/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { useEndReached } from '../allWallets/useEndReached.ts'
import { SkeletonRows } from '../../parts.tsx'

/** The end of a list of which there is more: it is read when it comes into sight. */
export function More({ pages }: { pages: Pages<unknown> }): ReactElement | null {
  const t = usePart(holdingsPart)
  const { end, scroller } = useEndReached(pages.pages, pages.more)
  const watch = useCallback(
    (element: HTMLElement | null) => {
      end(element)
      scroller(element?.closest<HTMLElement>('.account, .pane') ?? null)
    },
    [end, scroller],
  )
  if (!pages.hasMore) return null
  return (
    <div ref={watch}>
      <p role="status" className="hidden">
        {t.more}
      </p>
      <ul className="rows">
        <SkeletonRows count={2} />
      </ul>
    </div>
  )
}
