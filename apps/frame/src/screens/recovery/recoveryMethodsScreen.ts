import type { RecoveryMethodInfo } from '../../worker/keyHolder.ts'
import { h, createIcon } from '../elements/h.ts'
import { messageForUser } from '../failure.ts'
import { createButton, drawLayout } from '../elements/layout.ts'
import { formatDate } from '../elements/formatDate.ts'
import { doneBanner, drawFailure, drawWaiting } from '../elements/drawFailure.ts'
import type { Screen } from '../stage/stage.ts'
import { whenDone, createScreen, type Steps } from '../stage/steps.ts'
import { drawPasskey } from './drawPasskey.ts'
import { drawPassword } from './drawPassword.ts'
import { withRecoveryMethods } from './withRecoveryMethods.ts'
import { custodyStatement } from './custodyStatement.ts'
import { methodTexts } from './methodTexts.ts'
import type { RecoveryChoice, RecoveryMethodsScreenProps, RecoveryMethodsStep } from './recoveryMethodsStep.ts'
import { recoveryStatusSection } from './recoveryStatusSection.ts'

/** Shows what opens the wallet, and lists, adds and removes recovery methods. */
export function recoveryMethodsScreen(props: RecoveryMethodsScreenProps): Screen<RecoveryChoice> {
  return createScreen((steps) => loadMethods(steps, props, props.notice), 'steps')
}

function loadMethods(steps: Steps<RecoveryChoice>, props: RecoveryMethodsScreenProps, done?: string): void {
  const { messages, holder } = props
  drawWaiting(steps.root, { title: messages.recoveryMethods.title })
  const loaded = Promise.all([holder.recoveryMethods(), holder.recoveryStatus().catch(() => undefined)])
  const back = (notice?: string): void => loadMethods(steps, props, notice)
  whenDone(steps, loaded, {
    done: ([methods, status]) => drawList({ ...props, steps, methods, status, back }, done),
    failed: (error) =>
      drawFailure(steps.root, messages, {
        title: messages.recoveryMethods.title,
        sentence: messageForUser(error, messages),
        retry: () => loadMethods(steps, props),
        leave: () => steps.finish('done'),
      }),
  })
}

function drawList(step: RecoveryMethodsStep, done?: string): void {
  const { messages, steps, methods, status, split, relay } = step
  const { recoveryMethods: texts, common } = messages
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
          : createButton({ text: texts.addPassword, press: () => drawPassword(step) }),
        createButton({ text: texts.addPasskey, press: () => drawPasskey(step) }),
      ),
      recoveryStatusSection(messages, { methods, status }),
      custodyStatement(messages, { methods, split, relay }),
    ],
    actions: [createButton({ text: common.done, look: 'primary', press: () => steps.finish('done') })],
  })
}

function methodRow(step: RecoveryMethodsStep, method: RecoveryMethodInfo): HTMLElement {
  const { messages, methods, steps } = step
  const { recoveryMethods: texts } = messages
  const { name, hint } = methodTexts(method, messages)
  const since =
    method.createdAt === undefined
      ? hint
      : messages.common.since({ date: formatDate(method.createdAt, messages.locale) })
  return h(
    'li',
    { class: 'row' },
    createIcon(method.method === 'auto' ? 'link' : method.method === 'password' ? 'lock' : 'key'),
    h(
      'div',
      { class: 'text' },
      h('p', { class: 'name' }, name),
      h('p', { class: 'sub' }, since),
      testLine(step, method),
    ),
    h(
      'button',
      {
        type: 'button',
        class: 'chip',
        'aria-label': texts.testOf({ method: name }),
        on: { click: () => steps.finish({ rehearse: method }) },
      },
      texts.test,
    ),
    methods.length === 1
      ? undefined
      : h(
          'button',
          {
            type: 'button',
            class: 'chip',
            'aria-label': texts.removeOf({ method: name }),
            on: { click: () => drawRemoval(step, method) },
          },
          texts.remove,
        ),
  )
}

/** States when the method was last tested, or that it does not open the wallet. */
function testLine({ messages, status }: RecoveryMethodsStep, { id, isUnreadable }: RecoveryMethodInfo): HTMLElement {
  const { recoveryMethods: texts, locale } = messages
  if (isUnreadable === true) return h('p', { class: 'sub problem' }, texts.unreadable)
  const at = status?.testedAt[id]
  return h('p', { class: 'sub' }, at === undefined ? texts.untested : texts.testedOn({ date: formatDate(at, locale) }))
}

function drawRemoval(step: RecoveryMethodsStep, method: RecoveryMethodInfo): void {
  const { messages, steps, holder, back } = step
  const { recoveryMethods: texts, common } = messages
  const { name } = methodTexts(method, messages)
  drawLayout(steps.root, {
    title: texts.removeTitle,
    content: [
      h('p', { class: 'name' }, name),
      h(
        'div',
        { class: 'banner', 'data-tone': method.method === 'auto' ? 'danger' : undefined },
        createIcon('warning'),
        h(
          'div',
          {},
          method.method === 'auto' ? h('p', {}, texts.removeAutoHint) : undefined,
          h('p', {}, texts.removeHint),
        ),
      ),
    ],
    actions: [
      createButton({ text: texts.remove, look: 'danger', guarded: true, press: remove }),
      createButton({ text: common.cancel, look: 'quiet', press: () => back() }),
    ],
  })

  function remove(): void {
    withRecoveryMethods(steps, step, {
      act: (credentials) => holder.removeRecoveryMethod(method.id, credentials),
      actWithoutPasskeys: (credentials) => holder.removeRecoveryMethod(method.id, credentials, { dropsPasskeys: true }),
      done: () => back(texts.removed),
      failed: (error) =>
        drawFailure(steps.root, messages, { sentence: messageForUser(error, messages), retry: remove, leave: back }),
      leave: back,
    })
  }
}
