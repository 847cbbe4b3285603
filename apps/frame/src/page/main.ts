import { createChain } from '../chain/chain.ts'
import { refusals } from '../chain/rpcError.ts'
import { applyTheme } from '../screens/theme.ts'
import { openStore } from '../worker/store.ts'
import { createConsents } from './consents.ts'
import { createDispatcher } from './dispatcher.ts'
import { createHandlers } from './handlers.ts'
import { openHostPage } from './hostPage.ts'
import { readConfig } from './readConfig.ts'
import { startHolder } from './startHolder.ts'
import { createVisitor } from './visitor.ts'

const config = readConfig(document)
const query = new URLSearchParams(location.search)
const projectId = query.get('projectId') ?? ''

const page = openHostPage({
  window,
  allowedOrigins: config.allowedOrigins,
  projectId,
  heard: (data) => dispatcher.hear(data),
})
const origin = (): string => page?.origin() ?? ''
const holder = startHolder(config, projectId)
const visitor = createVisitor({
  holder,
  consents: createConsents(openStore('latchkey-page')),
  origin,
  askConsent: async () => false,
  askWay: async () => undefined,
})
const dispatcher = createDispatcher({
  handlers: createHandlers({
    config,
    projectId,
    holder,
    visitor,
    chain: createChain({ config, projectId }),
    approve: async () => {
      throw refusals.rejected()
    },
    firstChainId: query.get('chainId') ?? '',
    origin,
    applyTheme: (theme) => applyTheme(document, theme),
    useLanguage: async () => undefined,
    openScreen: async () => undefined,
    reload: () => location.reload(),
  }),
  say: (message) => page?.say(message),
  now: () => performance.now(),
})
