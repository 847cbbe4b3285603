import { useInsertionEffect, useState } from 'react'
import { useStyles } from '../styles/useStyles.ts'
import { modalCss } from './modal.css.ts'

/** The element that the modal hangs in; a page sets its tokens and styles its parts by this name. */
const hostName = 'latchkey-modal'

/** A shadow root in an element of our own at the end of the page, with the modal's styles. */
export function useModalRoot(theme: string, direction: string | undefined): ShadowRoot {
  const [host] = useState(() => {
    const element = document.createElement(hostName)
    element.attachShadow({ mode: 'open' })
    return element
  })
  const root = shadowOf(host)
  useStyles(modalCss, () => root)
  useInsertionEffect(() => {
    document.body.append(host)
    return () => host.remove()
  }, [host])
  useInsertionEffect(() => host.setAttribute('data-theme', theme), [host, theme])
  // Until the language is known, the page's own direction holds.
  useInsertionEffect(() => {
    if (direction !== undefined) host.setAttribute('dir', direction)
  }, [host, direction])
  return root
}

function shadowOf(host: HTMLElement): ShadowRoot {
  if (host.shadowRoot === null) throw new Error('The shadow root of the modal is gone.')
  return host.shadowRoot
}
