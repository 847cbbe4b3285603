import { readConfig } from '../page/readConfig.ts'
import { startHolder } from '../page/startHolder.ts'
import { runAccount } from './accountPage.ts'
import { openPage } from './page.ts'

const page = await openPage({ window, config: readConfig(document), startHolder })
if (page !== undefined) await runAccount(page, () => location.assign(`../export/${location.search}`))
