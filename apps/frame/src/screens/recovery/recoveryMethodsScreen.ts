import type { Words } from '../../messages/loadWords.ts'
import type { RecoveryMethodInfo } from '../../worker/keyHolder.ts'
import { h, icon } from '../elements/h.ts'
import { messageForUser } from '../failure.ts'
import { button, drawLayout } from '../elements/layout.ts'
import { formatDate } from '../elements/formatDate.ts'
import { doneBanner, drawFailure, drawWaiting } from '../elements/drawFailure.ts'
import type { Screen } from '../stage/stage.ts'
import { whenDone, createScreen, type Steps } from '../stage/steps.ts'
import { drawPasskey } from './drawPasskey.ts'
import { drawPassword } from './drawPassword.ts'
import { withRecoveryMethods } from './withRecoveryMethods.ts'
import { custodyStatement } from './custodyStatement.ts'
import type { RecoveryMethodsScreenProps, RecoveryMethodsStep } from './recoveryMethodsStep.ts'

/** Lists, adds and removes recovery methods. */
export function recoveryMethodsScreen(props: RecoveryMethodsScreenProps): Screen<'done'> {
  return createScreen((steps) => loadMethods(steps, props), 'steps')
}

function loadMethods(steps: Steps<'done'>, props: RecoveryMethodsScreenProps, done?: string): void {
  const { words, holder } = props
  drawWaiting(steps.root, { title: words.recoveryMethods.title })
  whenDone(steps, holder.recoveryMethods(), {
    done: (methods) => drawList({ ...props, steps, methods, back: (said) => loadMethods(steps, props, said) }, done),
    failed: (error) =>
      drawFailure(steps.root, words, {
        title: words.recoveryMethods.title,
        sentence: messageForUser(error, words),
        retry: () => loadMethods(steps, props),
        leave: () => steps.finish('done'),
      }),
  })
}

function drawList(step: RecoveryMethodsStep, done?: string): void {
  const { words, steps, methods, split } = step
  const { recoveryMethods: texts, common } = words
  drawLayout(steps.root, {
    title: texts.title,
    content: [
      done === undefined ? undefined : doneBanner(done),
      h('p', { class: 'hint' }, texts.intro),
      h('ul', { class: 'rows' }, ...methods.map((method) => methodRow(step, method))),
      methods.length === 1 ? h('p', { class: 'hint' }, texts.last) : undefined,
      h(
        'div',
        { class: 'group' },
        methods.some(({ method }) => method === 'password')
          ? undefined
          : button({ text: texts.addPassword, press: () => drawPassword(step) }),
        button({ text: texts.addPasskey, press: () => drawPasskey(step) }),
      ),
      custodyStatement(words, { methods, split }),
    ],
    actions: [button({ text: common.done, look: 'primary', press: () => steps.finish('done') })],
  })
}

function methodRow(step: RecoveryMethodsStep, method: RecoveryMethodInfo): HTMLElement {
  const { words, methods } = step
  const { name, hint } = methodTexts(method, words)
  const since =
    method.createdAt === undefined ? hint : words.common.since({ date: formatDate(method.createdAt, words.locale) })
  return h(
    'li',
    { class: 'row' },
    icon(method.method === 'auto' ? 'link' : method.method === 'password' ? 'lock' : 'key'),
    h('div', { class: 'text' }, h('p', { class: 'name' }, name), h('p', { class: 'sub' }, since)),
    methods.length === 1
      ? undefined
      : h(
          'button',
          {
            type: 'button',
            class: 'chip',
            'aria-label': words.recoveryMethods.removeOf({ method: name }),
            on: { click: () => drawRemoval(step, method) },
          },
          words.recoveryMethods.remove,
        ),
  )
}

/** Returns the name and the hint of a recovery method. */
function methodTexts(
  { method }: RecoveryMethodInfo,
  { recoveryMethods: methods }: Words,
): { name: string; hint: string } {
  if (method === 'auto') return { name: methods.auto, hint: methods.autoHint }
  if (method === 'password') return { name: methods.password, hint: methods.passwordHint }
  return { name: methods.passkey, hint: methods.passkeyHint }
}

function drawRemoval(step: RecoveryMethodsStep, method: RecoveryMethodInfo): void {
  const { words, steps, holder, back } = step
  const { recoveryMethods: texts, common } = words
  const { name } = methodTexts(method, words)
  drawLayout(steps.root, {
    title: texts.removeTitle,
    content: [
      h('p', { class: 'name' }, name),
      h(
        'div',
        { class: 'banner', 'data-tone': method.method === 'auto' ? 'danger' : undefined },
        icon('warning'),
        h(
          'div',
          {},
          method.method === 'auto' ? h('p', {}, texts.removeAutoHint) : undefined,
          h('p', {}, texts.removeHint),
        ),
      ),
    ],
    actions: [
      button({ text: texts.remove, look: 'danger', guarded: true, press: remove }),
      button({ text: common.cancel, look: 'quiet', press: () => back() }),
    ],
  })

  function remove(): void {
    withRecoveryMethods(steps, step, {
      act: (credentials) => holder.removeRecoveryMethod(method.id, credentials),
      done: () => back(texts.removed),
      failed: (error) =>
        drawFailure(steps.root, words, { sentence: messageForUser(error, words), retry: remove, leave: back }),
      leave: back,
    })
  }
}
