import { useCallback, type ReactElement } from 'react'
import type { Pages } from '../../../../queries/pages.ts'
import { holdingsMessages } from '@latchkey/modal/messages'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useEndReached } from '../../connecting/allWallets/useEndReached.ts'
import { SkeletonRows } from '../../../parts/index.tsx'

/** The end of a paginated list. Loads the next page when it becomes visible. */
export function More({ pages }: { pages: Pages<unknown> }): ReactElement | null {
  const t = useFlowMessages(holdingsMessages)
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
        {t.loadingMore}
      </p>
      <ul className="rows">
        <SkeletonRows count={2} />
      </ul>
    </div>
  )
}
