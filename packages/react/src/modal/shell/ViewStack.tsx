import type { Direction } from '@latchkey/modal'
import { useEffect, useLayoutEffect, useRef, type ReactElement } from 'react'
import { ErrorBoundary } from '../../boundary/ErrorBoundary.tsx'
import { FailedView } from '../../boundary/FailedView.tsx'
import { preload, type Load } from '../../useChunk.ts'
import { useLatchkey } from '../../context.ts'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import type { Panes } from './usePanes.ts'
import { views } from '../views/index.ts'
import { SkeletonRows } from '../parts/index.tsx'
import { inertIf } from '../parts/inertIf.ts'

/** Duration of the modal's height transition [R2.2.9]. */
const heightMilliseconds = 150
/** Time limit for the exit transition of a view. */
const leaveMilliseconds = 300

/** Renders the current view, which slides over the previous one. The box follows its height. */
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
            {...inertIf(pane === leaving)}
            // Tools of tests that look elements up by role ignore `inert`, and would find those of both views.
            aria-hidden={pane === leaving || undefined}
            onTransitionEnd={({ target, currentTarget }) => target === currentTarget && pane === leaving && onLeft()}
          >
            <ErrorBoundary place="view" view={pane.entry.view} renderFailed={(retry) => <FailedView retry={retry} />}>
              <pane.View {...pane.entry.params} />
            </ErrorBoundary>
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
  const { modal: t } = useModalMessages()
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
 * Removes a leaving view after a time limit. An interrupted transition, or one in a hidden tab, may never end, and the view
 * would continue its work.
 */
function useLeaveAtTheLatest(leaving: number | undefined, onLeft: () => void): void {
  useEffect(() => {
    if (leaving === undefined) return
    // Real time: CSS transitions do not follow the injected clock.
    const timer = setTimeout(onLeft, leaveMilliseconds)
    return () => clearTimeout(timer)
  }, [leaving, onLeft])
}

/** Animates the height of a box to the height of its last child. */
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
