import { addressText } from '../../approve/drawValue.ts'
import type { FrameNetwork } from '../../frameConfig.ts'
import type { Messages } from '../../messages/loadFrameMessages.ts'
import type { AssetAmount } from '../../policy/policy.ts'
import type { KeyHolder, PolicyView } from '../../worker/keyHolder.ts'
import { doneBanner, drawFailure, drawWaiting } from '../elements/drawFailure.ts'
import { formatTime } from '../elements/formatDate.ts'
import { h, createIcon, type Child } from '../elements/h.ts'
import { createButton, drawLayout } from '../elements/layout.ts'
import { messageForUser } from '../failure.ts'
import type { Screen } from '../stage/stage.ts'
import { createScreen, whenDone, type Steps } from '../stage/steps.ts'
import { amountLines } from './spendingFacts.ts'
import type { Passkeys } from '../recovery/passkeys.ts'
import { drawPolicyForm } from './drawPolicyForm.ts'
import { applyPendingPolicy } from './applyPendingPolicy.ts'
import { listLimitedAssets } from './limitedAssets.ts'

export type PolicyScreenProps = {
  readonly messages: Messages
  readonly holder: Pick<
    KeyHolder,
    'policy' | 'savePolicy' | 'recoveryMethods' | 'createPasskeyRequest' | 'provePasskey'
  >
  readonly passkeys: Passkeys
  readonly networks: readonly FrameNetwork[]
}

/** Shows the signing policy in plain messages, and changes it. */
export function policyScreen(props: PolicyScreenProps): Screen<'done'> {
  return createScreen((steps) => loadPolicy(steps, props), 'steps')
}

function loadPolicy(steps: Steps<'done'>, props: PolicyScreenProps, done?: string): void {
  const { messages, holder } = props
  const { title } = messages.policy
  drawWaiting(steps.root, { title })
  whenDone(steps, loadView(holder), {
    done: (view) => drawPolicy(steps, props, view, done),
    failed: (error) =>
      drawFailure(steps.root, messages, {
        title,
        sentence: messageForUser(error, messages),
        retry: () => loadPolicy(steps, props),
        leave: () => steps.finish('done'),
      }),
  })
}

/** The policy, and the passkeys that lift the wait of a looser one. */
type ShownPolicy = PolicyView & { readonly passkeyIds: readonly string[] }

async function loadView(holder: PolicyScreenProps['holder']): Promise<ShownPolicy> {
  const view = await holder.policy()
  // Without the list, the wait stays.
  const methods = view.pending === undefined ? [] : await holder.recoveryMethods().catch(() => [])
  return { ...view, passkeyIds: methods.filter(({ method }) => method === 'passkey').map(({ id }) => id) }
}

function drawPolicy(steps: Steps<'done'>, props: PolicyScreenProps, view: ShownPolicy, done?: string): void {
  const { messages } = props
  const { policy: texts, common } = messages
  const hasRules = Object.keys(view.policy).length > 0
  drawLayout(steps.root, {
    title: texts.title,
    content: [
      done === undefined ? undefined : doneBanner(done),
      ...noticesOf(view, messages),
      drawPendingBanner(steps, props, view),
      h('p', { class: 'hint' }, texts.intro),
      hasRules ? rulesOf(view, props) : h('p', {}, texts.none),
      h('p', { class: 'hint' }, texts.protects),
    ],
    actions: [
      createButton({ text: texts.change, look: 'primary', press: () => edit(steps, props, view) }),
      createButton({ text: common.done, look: 'quiet', press: () => steps.finish('done') }),
    ],
  })
}

function formatSavedText(pendingAt: number | undefined, { policy: texts, locale }: Messages): string {
  return pendingAt === undefined ? texts.saved : texts.waits({ date: formatTime(pendingAt, locale) })
}

/** Announces looser rules, and stops them: saving the current ones ends the change. */
function drawPendingBanner(steps: Steps<'done'>, props: PolicyScreenProps, view: ShownPolicy): Child {
  const { messages, holder } = props
  const { policy: texts, locale } = messages
  if (view.pending === undefined) return undefined
  const stop = (): void => {
    drawWaiting(steps.root, { title: texts.title })
    whenDone(steps, holder.savePolicy(view.policy, view.counter), {
      done: () => loadPolicy(steps, props, texts.stopped),
      failed: (error) =>
        drawFailure(steps.root, messages, {
          sentence: messageForUser(error, messages),
          leave: () => loadPolicy(steps, props),
        }),
    })
  }
  return h(
    'div',
    { class: 'banner', 'data-tone': 'danger' },
    createIcon('warning'),
    h(
      'div',
      { class: 'group' },
      h('p', {}, texts.pending({ date: formatTime(view.pending.at, locale) })),
      view.passkeyIds.length === 0 ? undefined : h('p', {}, texts.applyPendingPolicy),
      createButton({ text: texts.stop, press: stop }),
      view.passkeyIds.length === 0
        ? undefined
        : createButton({
            text: messages.recover.usePasskey,
            guarded: true,
            press: () => provePasskey(steps, props, view),
          }),
    ),
  )
}

function provePasskey(steps: Steps<'done'>, props: PolicyScreenProps, view: ShownPolicy): void {
  const { messages } = props
  const { policy: texts, recover } = messages
  const failed = (sentence: string): void =>
    drawFailure(steps.root, messages, { sentence, leave: () => loadPolicy(steps, props) })
  drawWaiting(steps.root, { title: texts.title })
  whenDone(steps, applyPendingPolicy(props, view, view.passkeyIds, steps.signal), {
    done(outcome) {
      if (outcome === 'used') return loadPolicy(steps, props, texts.saved)
      failed(outcome === 'cancelled' ? recover.cancelled : recover.unable)
    },
    failed: (error) => failed(messageForUser(error, messages)),
  })
}

/** Names a service that hides or changes the policy. */
function noticesOf({ copies }: PolicyView, { policy: texts }: Messages): readonly Child[] {
  return (['auth', 'shares'] as const).flatMap((name) => {
    const copy = copies[name]
    if (copy === 'current') return []
    const sentence = texts[copy]({ service: texts[name] })
    return [
      h('div', { class: 'banner', 'data-tone': 'danger', role: 'alert' }, createIcon('warning'), h('p', {}, sentence)),
    ]
  })
}

function rulesOf({ policy }: PolicyView, { messages, networks }: PolicyScreenProps): HTMLElement {
  const { policy: texts } = messages
  const assets = listLimitedAssets(networks)
  const limitOf = (limits: readonly AssetAmount[] | undefined): readonly Child[] => {
    if (limits === undefined) return [texts.noLimit]
    return limits.length === 0 ? [texts.nothing] : amountLines(limits, assets, messages)
  }
  const receivers = policy.onlyKnownReceivers
  const named = receivers === undefined ? [texts.everyone] : receivers.map((each) => h('div', {}, addressText(each)))
  const pair = (label: string, lines: readonly Child[]): readonly Child[] => [
    h('dt', {}, label),
    h('dd', {}, ...(lines.length === 0 ? [texts.nothing] : lines)),
  ]
  return h(
    'dl',
    { class: 'facts' },
    ...pair(texts.daily, limitOf(policy.dailyLimit)),
    ...pair(texts.single, limitOf(policy.secondDeviceAbove)),
    ...pair(texts.receivers, named),
  )
}

function edit(steps: Steps<'done'>, props: PolicyScreenProps, view: ShownPolicy, failure?: string): void {
  const { messages, holder, networks } = props
  drawPolicyForm(steps.root, messages, {
    policy: view.policy,
    assets: listLimitedAssets(networks),
    failure,
    cancel: () => drawPolicy(steps, props, view),
    save(policy) {
      drawWaiting(steps.root, { title: messages.policy.title })
      whenDone(steps, holder.savePolicy(policy, view.counter), {
        done: ({ pending }) => loadPolicy(steps, props, formatSavedText(pending?.at, messages)),
        failed: (error) => edit(steps, props, { ...view, policy }, messageForUser(error, messages)),
      })
    },
  })
}
