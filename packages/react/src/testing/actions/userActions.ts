import { getAccount } from '@latchkey/core'
import { chooseSwapToken, setAmount, setReceiver, setSwapAmount, swapState } from '@latchkey/core/money'
import type { ActionApp } from './createActionApp.tsx'

type Choice = number | string

const bob = `0x${'b'.repeat(40)}`

/** The texts that users type. */
export const amounts: readonly string[] = [
  '1',
  '0.5',
  '',
  '9'.repeat(40),
  'bob.example',
  bob,
  'ann@mail.example',
  '123456',
  'x',
]

/** Returns the open dialog or the embedded modal. */
function findModal(): HTMLElement | undefined {
  return [...document.querySelectorAll('latchkey-modal')]
    .map((host) => host.shadowRoot?.querySelector<HTMLElement>('dialog[open], .embed') ?? undefined)
    .findLast((box) => box !== undefined)
}

/** Returns the controls of the modal that a user can reach. */
function listControls(selector: string): readonly HTMLElement[] {
  return [...(findModal()?.querySelectorAll<HTMLElement>(selector) ?? [])].filter(
    (control) => control.closest('[inert]') === null && control.checkVisibility() && !control.matches(':disabled'),
  )
}

function click(button: HTMLElement | undefined): string {
  button?.focus()
  button?.click()
  return button?.ariaLabel ?? button?.textContent ?? 'no button'
}

function fillField(field: HTMLElement, text: string): void {
  field.focus()
  // React replaces the setter of the element itself.
  Reflect.set(Object.getPrototypeOf(field), 'value', text, field)
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
}

/** The clicks and entries of a user. */
export const userActions = {
  click(_: ActionApp, choice: Choice) {
    const buttons = listControls('button, [role=tab], input[type=checkbox], summary')
    return click(buttons[Number(choice) % buttons.length])
  },
  clickPrimary: () => click(listControls('[data-primary]').at(-1)),
  clickPageButton(_: ActionApp, choice: Choice) {
    if (findModal()?.matches('dialog') === true) return 'covered'
    return click(document.querySelectorAll<HTMLElement>('.latchkey-button')[Number(choice)])
  },
  pressEscape() {
    const key = { key: 'Escape', bubbles: true, composed: true, cancelable: true }
    const focused = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
    focused?.dispatchEvent(new KeyboardEvent('keydown', key))
  },
  cancelDialog: () => void findModal()?.dispatchEvent(new Event('cancel', { cancelable: true })),
  clickBackdrop: () => findModal()?.click(),
  type(_: ActionApp, choice: Choice) {
    const fields = listControls('input:not([type=checkbox], [type=file]), textarea')
    const field = fields[Number(choice) % fields.length]
    if (field === undefined) return 'no field'
    const text = amounts[Math.floor(Number(choice) / 2) % amounts.length] ?? ''
    fillField(field, text)
    return text
  },
  fillSwap({ latchkey, clock }: ActionApp) {
    const token = swapState(latchkey)
      .getState()
      .tokens.find(({ symbol }) => symbol === 'LUSD')
    if (token !== undefined) chooseSwapToken(latchkey, 'to', token.id)
    setSwapAmount(latchkey, '1')
    clock.advance(500)
    return token?.symbol ?? 'no token'
  },
  fillSend({ latchkey, clock }: ActionApp) {
    if (getAccount(latchkey).status !== 'connected') return 'not connected'
    setAmount(latchkey, '1')
    setReceiver(latchkey, bob)
    clock.advance(500)
    return bob
  },
}
