import { frameNews } from '@latchkey/protocol'
import { createChain } from '../chain/chain.ts'
import { lazily } from '../chain/lazily.ts'
import { refusalOf } from '../screens/failure.ts'
import { applyTheme } from '../screens/theme.ts'
import { createSmart } from '../smart/smart.ts'
import { createSpeech } from '../words/speech.ts'
import { loadWords } from '../words/words.ts'
import { openStore } from '../worker/store.ts'
import { createConsents } from './consents.ts'
import type { Desk } from './desk.ts'
import { createDispatcher } from './dispatcher.ts'
import { createHandlers } from './handlers.ts'
import { openHostPage } from './hostPage.ts'
import { lockWhenHidden } from './lockWhenHidden.ts'
import { readConfig } from './readConfig.ts'
import { startHolder } from './startHolder.ts'
import { createVisitor } from './visitor.ts'

const config = readConfig(document)
const query = new URLSearchParams(location.search)
const projectId = query.get('projectId') ?? ''
const root = document.querySelector<HTMLElement>('#stage') ?? document.body

const page = openHostPage({
  window,
  allowedOrigins: config.allowedOrigins,
  projectId,
  heard: (data) => dispatcher.hear(data),
})
const origin = (): string => page?.origin() ?? ''
const holder = startHolder(config, projectId)
const chain = createChain({ config, projectId })

const { words, speak } = createSpeech(loadWords, document.documentElement)
/** What the page speaks, and else what the browser does. */
const speakTo = (...page: readonly string[]): Promise<void> => speak([...page, ...navigator.languages])

/** Most visits ask nobody anything. */
const openDesk = lazily(async (): Promise<Desk> => {
  const { createDesk } = await import('./desk.ts')
  return createDesk({
    config,
    chain,
    holder,
    smart,
    root,
    words,
    tell: (news) => page?.say(frameNews('SCREEN', news)),
  })
})

const visitor = createVisitor({
  holder,
  consents: createConsents(openStore('latchkey-page')),
  origin,
  askConsent: async (who, signal) => (await openDesk()).askConsent(who, signal),
  askDevice: async (link, signal) => (await openDesk()).askDevice(link, signal),
  askWay: async (ways, signal) => (await openDesk()).askWay(ways, signal),
})
const smart = createSmart({
  config,
  projectId,
  chain,
  holder,
  store: openStore('latchkey-smart'),
  user: visitor.find,
  askSwitch: async (who, signal) => (await openDesk()).askSwitch(who, signal),
  now: Date.now,
})
const dispatcher = createDispatcher({
  handlers: createHandlers({
    config,
    projectId,
    holder,
    visitor,
    chain,
    smart,
    origin,
    speak: speakTo,
    approve: async (request, context) => (await openDesk()).approve(request, context),
    firstChainId: query.get('chainId') ?? '',
    applyTheme: (theme) => applyTheme(document, theme),
    openScreen: async (screen, user, signal) => (await openDesk()).openScreen(screen, user, signal),
    opening: () => page?.say(frameNews('OPENING', {})),
    reload: () => location.reload(),
  }),
  say: (message) => page?.say(message),
  sayFailure: (error) => refusalOf(error, words()),
  now: () => performance.now(),
})
lockWhenHidden(document, holder)
void speakTo()
