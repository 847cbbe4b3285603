import type { Login } from '@latchkey/core'
import { useEffect, useRef, useSyncExternalStore, type CSSProperties, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useStore } from '../../../useStore.ts'
import { useViewStyles } from '../../shadowRoot.ts'
import { approveCss } from './approve.css.ts'

/** Room for what only the visitor may answer, which the wallet draws itself, in a frame of its own origin. */
export default function ApproveTransactionView(): ReactElement {
  useViewStyles(approveCss)
  const logins = useStore(useLatchkey().connectors).flatMap(({ login }) => login ?? [])
  const login = useAsking(logins)
  // The wallet may be done already; the last of its room is kept while the view leaves.
  return login === undefined ? <div className="approve skeleton" style={roomOf(600)} /> : <Room login={login} />
}

/** The place that the frame is laid over, and follows as it moves. */
function Room({ login }: { login: Login }): ReactElement {
  const place = useRef<HTMLDivElement>(null)
  const { screen } = useSyncExternalStore(login.state.subscribe, login.state.get, login.state.get)
  useEffect(() => {
    if (place.current !== null) return login.place(place.current)
  }, [login])
  return <div ref={place} className="approve skeleton" aria-hidden="true" style={roomOf(screen?.height ?? 600)} />
}

/** The login whose wallet wants to be seen. */
function useAsking(logins: readonly Login[]): Login | undefined {
  const find = (): Login | undefined => logins.find(({ state }) => state.get().screen !== undefined)
  const subscribe = (listener: () => void): (() => void) => {
    const stops = logins.map(({ state }) => state.subscribe(listener))
    return () => stops.forEach((stop) => stop())
  }
  return useSyncExternalStore(subscribe, find, find)
}

function roomOf(height: number): CSSProperties {
  // A custom property, which the type of styles does not know.
  return { '--_screen': `${height}px` } as CSSProperties
}
