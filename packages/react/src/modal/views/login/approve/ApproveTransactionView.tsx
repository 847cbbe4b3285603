import type { Login } from '@latchkey/core'
import { modalOf } from '@latchkey/modal'
import { useEffect, useRef, useSyncExternalStore, type CSSProperties, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useStore } from '../../../../useStore.ts'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { approveCss } from './approve.css.ts'

/** Reserves space for the wallet's own screen, which a frame on its own origin renders: only the user may respond to it. */
export default function ApproveTransactionView(): ReactElement {
  useViewStyles(approveCss)
  const logins = useStore(useLatchkey().connectors).flatMap(({ login }) => login ?? [])
  const login = useLoginWithScreen(logins)
  // The wallet may have finished. The space is kept while the view slides out.
  return login === undefined ? <div className="approve skeleton" style={heightStyle(600)} /> : <Room login={login} />
}

/** The element that the frame covers and follows. */
function Room({ login }: { login: Login }): ReactElement {
  const place = useRef<HTMLDivElement>(null)
  const { screen } = useSyncExternalStore(login.state.subscribe, login.state.get, login.state.get)
  const { open } = useStore(modalOf(useLatchkey()).state)
  useEffect(() => {
    // A closed modal draws the view until it has faded out. If it opens again, its dialog would cover the frame.
    if (open && place.current !== null) return login.place(place.current)
  }, [login, open])
  return <div ref={place} className="approve skeleton" aria-hidden="true" style={heightStyle(screen?.height ?? 600)} />
}

/** Returns the login whose wallet shows a screen. */
function useLoginWithScreen(logins: readonly Login[]): Login | undefined {
  const find = (): Login | undefined => logins.find(({ state }) => state.get().screen !== undefined)
  const subscribe = (listener: () => void): (() => void) => {
    const stops = logins.map(({ state }) => state.subscribe(listener))
    return () => stops.forEach((stop) => stop())
  }
  return useSyncExternalStore(subscribe, find, find)
}

function heightStyle(height: number): CSSProperties {
  // A custom property, which React's style type does not contain.
  return { '--_screen': `${height}px` } as CSSProperties
}
