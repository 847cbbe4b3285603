import { frameEvent } from '@latchkey/protocol'
import { createChain } from '../chain/chain.ts'
import { loadOnce } from '../chain/loadOnce.ts'
import { localizedRefusal } from '../screens/failure.ts'
import { applyTheme } from '../screens/theme.ts'
import { createSmart } from '../smart/smart.ts'
import { createSpeech } from '../messages/createSpeech.ts'
import { loadFrameMessages } from '../messages/loadFrameMessages.ts'
import { openHolderStore } from '../worker/storage/holderStore.ts'
import { createConsents } from './consents.ts'
import type { UserScreens } from './userScreens.ts'
import { createDispatcher } from './dispatcher.ts'
import { createHandlers } from './createHandlers.ts'
import { openHostPage } from './hostPage.ts'
import { lockWhenHidden } from './lockWhenHidden.ts'
import { parseFrameConfig } from './parseFrameConfig.ts'
import { startHolder } from './startHolder.ts'
import { createPageSession } from './pageSession.ts'

const config = parseFrameConfig(document)
const query = new URLSearchParams(location.search)
const projectId = query.get('projectId') ?? ''
const root = document.querySelector<HTMLElement>('#stage') ?? document.body

const page = openHostPage({
  window,
  allowedOrigins: config.allowedOrigins,
  projectId,
  onMessage: (data) => dispatcher.receive(data),
})
const getPageOrigin = (): string => page?.origin() ?? ''
const holder = startHolder(config, projectId)
const chain = createChain({ config, projectId })

const { messages, speak } = createSpeech(loadFrameMessages, document.documentElement)
/** Prefers the page's language, then the browser's languages. */
const setPageLanguages = async (...page: readonly string[]): Promise<void> => {
  await speak([...page, ...navigator.languages])
  await holder.setLanguage(messages().locale)
}

/** A separate chunk, because most visits show no screen. */
const loadScreens = loadOnce(async (): Promise<UserScreens> => {
  const { createUserScreens } = await import('./userScreens.ts')
  return createUserScreens({
    config,
    chain,
    holder,
    smart,
    root,
    messages,
    origin: getPageOrigin,
    emit: (news) => page?.send(frameEvent('SCREEN', news)),
  })
})

const pageSession = createPageSession({
  holder,
  consents: createConsents(openHolderStore('latchkey-page')),
  origin: getPageOrigin,
  confirmConnection: async (who, signal) => (await loadScreens()).confirmConnection(who, signal),
  showDeviceApproval: async (signal) => (await loadScreens()).showDeviceApproval(signal),
  showKnownDeviceApproval: async (wait, signal) => (await loadScreens()).showKnownDeviceApproval(wait, signal),
  reviewDevices: async (signal) => (await loadScreens()).reviewDevices(signal),
  showRecovery: async (methods, signal) => (await loadScreens()).showRecovery(methods, signal),
})
const smart = createSmart({
  config,
  projectId,
  chain,
  holder: { ...holder, sign: async (request) => (await loadScreens()).sign(request) },
  store: openHolderStore('latchkey-smart'),
  user: pageSession.find,
  confirmSwitch: async (who, signal) => (await loadScreens()).confirmSwitch(who, signal),
  now: Date.now,
})
const dispatcher = createDispatcher({
  handlers: createHandlers({
    config,
    projectId,
    holder,
    pageSession,
    chain,
    smart,
    origin: getPageOrigin,
    speak: setPageLanguages,
    approve: async (request, context) => (await loadScreens()).approve(request, context),
    firstChainId: query.get('chainId') ?? '',
    applyTheme: (theme) => applyTheme(document, theme),
    openScreen: async (screen, user, signal) => (await loadScreens()).openScreen(screen, user, signal),
    confirmEmailChange: async (facts, signal) => (await loadScreens()).confirmEmailChange(facts, signal),
    confirmNewAddress: async (link, signal) => (await loadScreens()).confirmNewAddress(link, signal),
    warmUp() {
      loadScreens().catch(() => undefined)
      smart.warmUp()
    },
    opening: () => page?.send(frameEvent('OPENING', {})),
    reload: () => location.reload(),
  }),
  send: (message) => page?.send(message),
  localizeFailure: (error) => localizedRefusal(error, messages()),
  now: () => performance.now(),
})
lockWhenHidden(document, holder)
void setPageLanguages()
