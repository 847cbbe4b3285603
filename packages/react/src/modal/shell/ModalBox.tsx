import { currentEntry, modalReady, type ModalState } from '@latchkey/modal'
import { memo, useEffect, useLayoutEffect, type NamedExoticComponent, type ReactElement, type RefObject } from 'react'
import { ErrorBoundary } from '../../boundary/ErrorBoundary.tsx'
import { FailedView } from '../../boundary/FailedView.tsx'
import { useLatchkey } from '../../context.ts'
import { Alerts } from './Alerts.tsx'
import { Header } from './Header.tsx'
import { focusTitle, useShadowRoot } from './shadowRoot.ts'
import { views } from '../views/index.ts'
import { useDoubleClickGuard } from './useDoubleClickGuard.ts'
import { usePanes } from './usePanes.ts'
import { ViewLoadersContext } from './viewLoaders.ts'
import { ViewStack } from './ViewStack.tsx'

type ModalBoxProps = {
  modal: ModalState & { open: true }
  /** True inside the page: focus then moves only if it is already inside the modal. */
  embedded?: boolean
  elementRef?: RefObject<HTMLDivElement | null>
}

/** The box of the modal, floating or embedded. It shows a message if its header or its alerts fail. */
export const ModalBox: NamedExoticComponent<ModalBoxProps> = /* @__PURE__ */ memo(function ModalBox(props) {
  return (
    <ErrorBoundary
      place="modal"
      renderFailed={(retry) => (
        <div ref={props.elementRef} className="card" part="card">
          <div className="stage" part="body">
            <div className="pane">
              <FailedView retry={retry} />
            </div>
          </div>
        </div>
      )}
    >
      <ModalBoxContent {...props} />
    </ErrorBoundary>
  )
})

function ModalBoxContent({ modal, embedded = false, elementRef }: ModalBoxProps): ReactElement {
  const latchkey = useLatchkey()
  const root = useShadowRoot()
  const panes = usePanes(currentEntry(modal))
  const handleClick = useDoubleClickGuard()
  const id = panes.shown?.id
  useLayoutEffect(() => {
    if (id !== undefined && (!embedded || root.activeElement !== null)) focusTitle(root)
  }, [root, embedded, id])
  useEffect(() => {
    if (id !== undefined && modal.loading) modalReady(latchkey)
  }, [latchkey, id, modal.loading])
  return (
    <div
      ref={elementRef}
      className="card"
      part="card"
      data-shaking={modal.shaking ? '' : undefined}
      onClickCapture={handleClick}
    >
      <span className="grabber" />
      <Header {...panes} modal={modal} embedded={embedded} />
      <Alerts />
      <ViewLoadersContext.Provider value={views}>
        <ViewStack {...panes} direction={modal.direction} />
      </ViewLoadersContext.Provider>
    </div>
  )
}
