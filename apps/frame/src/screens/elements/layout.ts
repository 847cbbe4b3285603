import { h, type Child } from './h.ts'

/** The content of a screen from top to bottom. */
export type Layout = {
  readonly title: string
  readonly content: readonly Child[]
  /** Buttons at the bottom, always visible. The primary one comes first. */
  readonly actions?: readonly Child[]
  /** Handler of the form: called by the primary button and the Enter key. */
  submit?(): void
}

/**
 * Draws a screen into a root and focuses its title, so that screen readers announce it.
 *
 * @example drawLayout(root, { title: messages.consent.title, content: [h('p', {}, hint)], actions: [createButton({ … })] })
 */
export function drawLayout(root: HTMLElement, { title, content, actions = [], submit }: Layout): void {
  const heading = h('h1', { class: 'title', tabindex: -1 }, title)
  const children = [
    heading,
    h('div', { class: 'content' }, ...content),
    actions.length > 0 ? h('div', { class: 'actions' }, ...actions) : undefined,
  ]
  root.replaceChildren(submit === undefined ? h('div', { class: 'screen' }, ...children) : createForm(submit, children))
  heading.focus({ preventScroll: true })
}

function createForm(submit: () => void, children: readonly Child[]): HTMLFormElement {
  const submitted = (event: SubmitEvent) => {
    event.preventDefault()
    submit()
  }
  return h('form', { class: 'screen', novalidate: true, on: { submit: submitted } }, ...children)
}

/**
 * Creates a button.
 *
 * @param look `primary` continues, `quiet` goes back, `danger` can't be undone
 * @param guarded true if it works only while the browser proves that nothing covers it
 * @param press leave out for the submit button of a form
 */
export function createButton({
  text,
  look,
  guarded = false,
  press,
}: {
  text: string
  look?: 'primary' | 'quiet' | 'danger'
  guarded?: boolean
  press?(): void
}): HTMLButtonElement {
  return h(
    'button',
    {
      type: press === undefined ? 'submit' : 'button',
      class: 'button',
      'data-look': look,
      'data-guarded': guarded,
      on: press && { click: press },
    },
    text,
  )
}

/** Creates a labelled input. Its problem line has the id in `aria-describedby`. */
export function labelledField(
  label: string,
  attributes: { readonly id: string; readonly type: string } & {
    readonly [attribute: string]: string | number | boolean
  },
): { readonly box: HTMLElement; readonly input: HTMLInputElement } {
  const input = h('input', { class: 'field', autocapitalize: 'none', spellcheck: 'false', ...attributes })
  return { input, box: h('div', { class: 'labelled' }, h('label', { for: attributes.id }, label), input) }
}
