import type { Direction } from '@latchkey/core'
import { useEffect, useLayoutEffect, useRef, type ReactElement } from 'react'
import { preload, type Load } from '../chunks.ts'
import { useLatchkey } from '../context.ts'
import { useStrings } from '../strings/useStrings.ts'
import type { Panes } from './usePanes.ts'
import { views } from './views/index.ts'
import { SkeletonRows } from './parts.tsx'

/** The height of the card follows its view in this time [R2.2.9]. */
const heightMilliseconds = 150
/** A view that leaves is gone after this time at the latest. */
const leaveMilliseconds = 300

/** The view on screen, sliding in over the one it replaces, in a box that follows its height. */
export function ViewStack({
  shown,
  leaving,
  missing,
  onLeft,
  direction,
}: Panes & { direction: Direction }): ReactElement {
  const stage = useRef<HTMLDivElement>(null)
  useFollowedHeight(stage, `${shown?.id} ${missing?.view}`)
  useLeaveAtTheLatest(leaving?.id, onLeft)
  const panes = [leaving, shown].filter((pane) => pane !== undefined).toSorted((a, b) => a.id - b.id)
  return (
    <div ref={stage} className="stage" part="body" data-direction={leaving === undefined ? undefined : direction}>
      {missing === undefined ? (
        panes.map((pane) => (
          <div
            key={pane.id}
            className="pane"
            part="view"
            data-view={pane.entry.view}
            data-leaving={pane === leaving ? '' : undefined}
            inert={pane === leaving}
            onTransitionEnd={({ target, currentTarget }) => target === currentTarget && pane === leaving && onLeft()}
          >
            <pane.View {...pane.entry.params} />
          </div>
        ))
      ) : (
        <MissingView view={missing.view} />
      )}
      {shown === undefined && missing === undefined && (
        <ul className="pane rows">
          <SkeletonRows count={3} />
        </ul>
      )}
    </div>
  )
}

function MissingView({ view }: { view: keyof typeof views }): ReactElement {
  const latchkey = useLatchkey()
  const { modal: t } = useStrings()
  const load: Load<object> | undefined = views[view]
  return (
    <div className="pane">
      <p role="alert" className="hint center">
        {t.loadFailed}
      </p>
      <button
        type="button"
        className="button"
        data-primary=""
        onClick={() => load !== undefined && preload(latchkey, load)}
      >
        {t.retry}
      </button>
    </div>
  )
}

/**
 * A transition that is interrupted, or that runs in a hidden tab, may never end; a view that stays behind would go on
 * with what it does.
 */
function useLeaveAtTheLatest(leaving: number | undefined, onLeft: () => void): void {
  useEffect(() => {
    if (leaving === undefined) return
    // The time of the page's own motion, which no injected clock moves.
    const timer = setTimeout(onLeft, leaveMilliseconds)
    return () => clearTimeout(timer)
  }, [leaving, onLeft])
}

/** Moves a box from the height it has to the height of its last child, whenever that changes. */
function useFollowedHeight(box: React.RefObject<HTMLDivElement | null>, child: string): void {
  const height = useRef(0)
  useLayoutEffect(() => {
    const element = box.current
    const content = element?.lastElementChild
    if (element === null || !(content instanceof HTMLElement)) return
    let motion: Animation | undefined
    const follow = (): void => {
      const next = content.offsetHeight
      const present = motion?.playState === 'running' ? element.offsetHeight : height.current
      height.current = next
      if (next === 0 || present === 0 || next === present) return
      motion?.cancel()
      if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
      motion = element.animate([{ blockSize: `${present}px` }, { blockSize: `${next}px` }], {
        duration: heightMilliseconds,
        easing: 'cubic-bezier(.25,.8,.3,1)',
      })
    }
    const observer = new ResizeObserver(follow)
    observer.observe(content)
    return () => observer.disconnect()
  }, [box, child])
}
