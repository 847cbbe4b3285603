import { useInsertionEffect, useState } from 'react'
import { useStyles } from '../../../styles/useStyles.ts'
import { modalCss } from '../modal.css.ts'

/** The element that contains the modal. Pages set its tokens and style its parts by this name. */
const hostName = 'latchkey-modal'

/** Returns a shadow root with the modal's styles, in an element at the end of the page. */
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
  // Until the language is known, the direction of the page applies.
  useInsertionEffect(() => {
    if (direction !== undefined) host.setAttribute('dir', direction)
  }, [host, direction])
  return root
}

function shadowOf(host: HTMLElement): ShadowRoot {
  if (host.shadowRoot === null) throw new Error('The shadow root of the modal is gone.')
  return host.shadowRoot
}
