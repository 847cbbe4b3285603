import type { BuyTexts } from './buy/texts.ts'
import type { HoldingsTexts } from './holdings/texts.ts'
import type { LoginTexts } from './login/texts.ts'
import type { NamesTexts } from './names/texts.ts'
import type { ReceiveTexts } from './receive/texts.ts'
import type { SendTexts } from './send/texts.ts'
import type { SwapTexts } from './swap/texts.ts'

/** The texts of each part of the interface that is fetched when it is first shown, by the name of the part. */
export type PartStrings = {
  buy: BuyTexts
  holdings: HoldingsTexts
  login: LoginTexts
  names: NamesTexts
  receive: ReceiveTexts
  send: SendTexts
  swap: SwapTexts
}
