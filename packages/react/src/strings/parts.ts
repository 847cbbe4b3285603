import type { ReceiveTexts } from './receive/texts.ts'

/** The texts of each part of the interface that is fetched when it is first shown, by the name of the part. */
export type PartStrings = {
  receive: ReceiveTexts
}
