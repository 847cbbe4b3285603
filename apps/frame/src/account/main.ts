import { parseFrameConfig } from '../page/parseFrameConfig.ts'
import { startHolder } from '../page/startHolder.ts'
import { runAccount } from './runAccount.ts'
import { openTopLevelPage } from './topLevelPage.ts'

const page = await openTopLevelPage({ window, config: parseFrameConfig(document), startHolder })
if (page !== undefined) await runAccount(page, () => location.assign(`../export/${location.search}`))
