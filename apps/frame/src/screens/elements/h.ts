/** A child of an element. `undefined` draws nothing, so that conditions can be expressions. */
export type Child = Node | string | undefined

type Handlers = { readonly [event in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[event]) => void }

/** Attributes by name. `true` sets an empty attribute; `undefined` and `false` set none. */
export type Props = { readonly on?: Handlers } & {
  readonly [attribute: string]: string | number | boolean | undefined | Handlers
}

/**
 * Creates an element. It parses no markup, so untrusted text stays text and Trusted Types need no policy.
 *
 * @param props attributes, and event handlers under `on`
 * @throws TypeError for attributes that contain scripts or styles
 * @example h('button', { type: 'button', class: 'button', on: { click: () => finish('allowed') } },
 *   messages.consent.allow)
 */
export function h<tag extends keyof HTMLElementTagNameMap>(
  tag: tag,
  { on = {}, ...attributes }: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (/^on|^style$|^srcdoc$/i.test(name)) throw new TypeError(`${name} must not be set as an attribute`)
    if (value === undefined || value === false || typeof value === 'object') continue
    element.setAttribute(name, value === true ? '' : String(value))
  }
  for (const [event, handler] of Object.entries(on)) {
    // Each handler has the type of its event.
    element.addEventListener(event, handler as (event: Event) => void)
  }
  element.append(...children.filter((child) => child !== undefined))
  return element
}

const shapes = {
  warning:
    'M12 8.5v4.5m0 3.2v.1M10.6 4.4 2.9 17.6A1.6 1.6 0 0 0 4.3 20h15.4a1.6 1.6 0 0 0 1.4-2.4L13.4 4.4a1.6 1.6 0 0 0-2.8 0Z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  failed: 'M12 8v5m0 3.2v.1M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z',
  key: 'M15.5 14a5 5 0 1 0-4.7-3.3L4 17.5V20h2.5v-2H9v-2.5h2l1.3-1.8a5 5 0 0 0 3.2.3Zm.5-6v.1',
  lock: 'M7 11V8a5 5 0 0 1 10 0v3m-11 0h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1Z',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1m2 3.7a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  device: 'M4 5h16a1 1 0 0 1 1 1v9H3V6a1 1 0 0 1 1-1ZM2 19h20',
  copy: 'M9 9V5a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-4M5 9h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1Z',
} as const

/** Creates a decorative icon. Its meaning is always in the text next to it. */
export function createIcon(name: keyof typeof shapes): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const attributes = { viewBox: '0 0 24 24', width: '20', height: '20', 'aria-hidden': 'true', class: 'icon' }
  for (const [attribute, value] of Object.entries(attributes)) svg.setAttribute(attribute, value)
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', shapes[name])
  svg.append(path)
  return svg
}
