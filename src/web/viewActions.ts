import type { ConnectionDocument } from "./ConnectionDocument.ts"
import { listSeenChanges, toApprovalBody, toPreApprovalFields } from "./ConsentDraft.ts"
import type { CopyFeedback } from "./CopyFeedback.ts"
import type { LocalProgress } from "./LocalProgress.ts"
import type { PageRequests } from "./PageRequests.ts"
import type { PlanConsent } from "./PlanConsent.ts"
import type { Sharing } from "./Sharing.ts"
import type { StepReporter } from "./StepReporter.ts"
import type { ViewActions } from "./ViewModel.ts"

/** The parts of the element that the actions of the customer change. */
interface ActionTargets {
  readonly connection: () => ConnectionDocument | undefined
  readonly consent: PlanConsent
  readonly copies: CopyFeedback
  readonly progress: LocalProgress
  readonly requests: PageRequests
  readonly sharing: Sharing
  readonly steps: StepReporter
  readonly onClose: () => void
}

/** Makes the actions of the customer. */
export const makeViewActions = (targets: ActionTargets): ViewActions => {
  const { connection, consent, copies, onClose, progress, requests, sharing, steps } = targets

  const leave = (reason: string): void => {
    requests.show(undefined)
    steps.leave(reason)
  }

  const preApproval = () => {
    const current = connection()
    return current === undefined ? {} : toPreApprovalFields(current, consent.draft)
  }

  return {
    acknowledge: (warning, isKnown) => consent.acknowledge(warning, isKnown),
    answerMail: (getsMail) => {
      consent.acknowledge("mail_target_changed", !getsMail)
      consent.update({ getsMail })
    },
    approve: () => {
      const current = connection()
      requests.show(undefined)
      if (current !== undefined) consent.update({ seen: listSeenChanges(current) })
      if (current?.state === "planned") void requests.sendCommand("approval", toApprovalBody(current, consent.draft))
      else consent.update({ isGiven: true })
    },
    markIncomplete: () => requests.markIncomplete(),
    goBack: () => {
      if (!progress.wantsOtherMethod) consent.update({ isGiven: false })
      leave("back")
      progress.update({ wantsOtherMethod: false })
    },
    authorizeWithCredential: (credential) => {
      progress.update({ entered: credential })
      steps.leave(undefined)
      void requests.sendCommand("authorization", { method: "direct_credential", credential, ...preApproval() })
    },
    startOAuth: () => void requests.openProvider("oauth2_pkce", preApproval()),
    startDomainConnect: () => void requests.openProvider("domain_connect"),
    chooseManual: () => {
      leave("by_hand")
      void requests.sendCommand("authorization", { method: "manual" })
    },
    selectProvider: (provider) => {
      progress.update({ entered: {} })
      void requests.sendCommand("provider", { provider })
    },
    chooseOtherMethod: () => {
      leave("other_way")
      progress.update({ wantsOtherMethod: true })
    },
    showTask: (task) => {
      copies.clear()
      progress.showTask(task)
    },
    recheck: (savedTask) => {
      copies.clear()
      progress.markSaved(savedTask)
      void requests.sendCommand("recheck")
    },
    retry: () => {
      // Where the plan is made anew from the zone at the provider, that asks for an approval of its own.
      if (connection()?.failure?.resumeState !== "authorized") consent.update({ isGiven: false })
      void requests.sendCommand("retry")
    },
    copy: (text, id) => void copies.copy(text, id),
    download: () => {
      const current = connection()
      if (current !== undefined) void import("./downloadZoneFile.ts").then((file) => file.downloadZoneFile(current))
    },
    share: () => sharing.open(),
    close: onClose
  }
}
