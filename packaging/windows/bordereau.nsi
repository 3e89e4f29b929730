; Per user without rights, or per machine as an administrator: /CurrentUser or /AllUsers, silent with /S.
; makensis -DVERSION=... -DFOLDER=... -DOUTPUT=... -DICON=... [-DSIGN=...] bordereau.nsi
; SIGN is the command that signs a file, for the uninstaller; the installer itself is signed once it is there.
Unicode true
SetCompressor /SOLID lzma

!define MULTIUSER_EXECUTIONLEVEL Highest
!define MULTIUSER_MUI
!define MULTIUSER_INSTALLMODE_COMMANDLINE
!define MULTIUSER_INSTALLMODE_DEFAULT_CURRENTUSER
!define MULTIUSER_INSTALLMODE_INSTDIR "Bordereau"
!define MULTIUSER_INSTALLMODE_INSTDIR_REGISTRY_KEY "Software\Bordereau"
!define MULTIUSER_INSTALLMODE_INSTDIR_REGISTRY_VALUENAME "Folder"
!define MULTIUSER_USE_PROGRAMFILES64
!include MultiUser.nsh
!include MUI2.nsh
!include WordFunc.nsh
!include WinMessages.nsh
!include FileFunc.nsh

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Bordereau"

Name "Bordereau"
OutFile "${OUTPUT}"
!ifdef SIGN
  !uninstfinalize '${SIGN} "%1"' = 0
!endif
BrandingText "Bordereau ${VERSION}"
!define MUI_ICON "${ICON}"
!insertmacro MULTIUSER_PAGE_INSTALLMODE
!insertmacro MUI_PAGE_LICENSE "${FOLDER}\LICENSE-MIT"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; The process that started this installer and closes now; empty where a person started it.
Var CallingProcess

Function .onInit
  !insertmacro MULTIUSER_INIT
  ; /AFTER=PROCESS: Bordereau itself asks for its newer version. Two minutes are enough for it to close.
  ${GetParameters} $R0
  ${GetOptions} "$R0" "/AFTER=" $CallingProcess
  ${If} $CallingProcess != ""
    StrCpy $R1 $CallingProcess
    System::Call 'kernel32::OpenProcess(i 0x00100000, i 0, i R1) p .R2'
    ${If} $R2 P<> 0
      System::Call 'kernel32::WaitForSingleObject(p R2, i 120000) i .R3'
      System::Call 'kernel32::CloseHandle(p R2)'
    ${EndIf}
  ${EndIf}
  ; Downgrade refused: an older version may not read what a newer one wrote.
  ReadRegStr $0 SHCTX "${UNINSTALL}" "DisplayVersion"
  ${If} $0 != ""
    ${VersionCompare} "$0" "${VERSION}" $1
    ${If} $1 == 1
      MessageBox MB_OK|MB_ICONSTOP "Bordereau $0 is installed, which is newer than ${VERSION}. Nothing was changed." /SD IDOK
      SetErrorLevel 2
      Quit
    ${EndIf}
  ${EndIf}
FunctionEnd

; The window is drawn by Microsoft's WebView2, which Windows 11 has, and most of Windows 10.
!define WEBVIEW "Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"
Function TellMissingWebview
  ReadRegStr $0 HKLM "SOFTWARE\WOW6432Node\${WEBVIEW}" "pv"
  ${If} $0 == ""
    ReadRegStr $0 HKCU "Software\${WEBVIEW}" "pv"
  ${EndIf}
  ${If} $0 == ""
    MessageBox MB_OK|MB_ICONEXCLAMATION "Microsoft's WebView2 Runtime isn't on this computer. The command line works; the window doesn't open without it. Install it from https://developer.microsoft.com/microsoft-edge/webview2." /SD IDOK
  ${EndIf}
FunctionEnd

Function un.onInit
  !insertmacro MULTIUSER_UNINIT
FunctionEnd

Section
  SetOutPath "$INSTDIR"
  File /r "${FOLDER}\*.*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr SHCTX "Software\Bordereau" "Folder" "$INSTDIR"
  WriteRegStr SHCTX "${UNINSTALL}" "DisplayName" "Bordereau"
  WriteRegStr SHCTX "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr SHCTX "${UNINSTALL}" "Publisher" "The Bordereau authors"
  WriteRegStr SHCTX "${UNINSTALL}" "DisplayIcon" "$INSTDIR\bordereau-desktop.exe"
  WriteRegStr SHCTX "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe" /$MultiUser.InstallMode'
  WriteRegStr SHCTX "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /$MultiUser.InstallMode /S'
  WriteRegDWORD SHCTX "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD SHCTX "${UNINSTALL}" "NoRepair" 1
  CreateShortcut "$SMPROGRAMS\Bordereau.lnk" "$INSTDIR\bordereau-desktop.exe"

  ; Links of the form bordereau://transaction/1042.
  WriteRegStr SHCTX "Software\Classes\bordereau" "" "URL:Bordereau"
  WriteRegStr SHCTX "Software\Classes\bordereau" "URL Protocol" ""
  WriteRegStr SHCTX "Software\Classes\bordereau\shell\open\command" "" '"$INSTDIR\bordereau-desktop.exe" "%1"'
  ; Under "Open with"; what opens a spreadsheet by itself stays as it is.
  WriteRegStr SHCTX "Software\Classes\Applications\bordereau-desktop.exe" "FriendlyAppName" "Bordereau"
  WriteRegStr SHCTX "Software\Classes\Applications\bordereau-desktop.exe\shell\open\command" "" '"$INSTDIR\bordereau-desktop.exe" "%1"'
  ; opened files: begin
  WriteRegStr SHCTX "Software\Classes\Applications\bordereau-desktop.exe\SupportedTypes" ".csv" ""
  WriteRegStr SHCTX "Software\Classes\Applications\bordereau-desktop.exe\SupportedTypes" ".tsv" ""
  WriteRegStr SHCTX "Software\Classes\Applications\bordereau-desktop.exe\SupportedTypes" ".xlsx" ""
  WriteRegStr SHCTX "Software\Classes\Applications\bordereau-desktop.exe\SupportedTypes" ".xlsm" ""
  WriteRegStr SHCTX "Software\Classes\Applications\bordereau-desktop.exe\SupportedTypes" ".xlsb" ""
  WriteRegStr SHCTX "Software\Classes\Applications\bordereau-desktop.exe\SupportedTypes" ".xls" ""
  WriteRegStr SHCTX "Software\Classes\Applications\bordereau-desktop.exe\SupportedTypes" ".ods" ""
  ; opened files: end
  ; A mapping saved as a file for others.
  WriteRegStr SHCTX "Software\Classes\.bordereau" "" "Bordereau.Mapping"
  WriteRegStr SHCTX "Software\Classes\Bordereau.Mapping" "" "Bordereau mapping"
  WriteRegStr SHCTX "Software\Classes\Bordereau.Mapping\DefaultIcon" "" "$INSTDIR\bordereau-desktop.exe,0"
  WriteRegStr SHCTX "Software\Classes\Bordereau.Mapping\shell\open\command" "" '"$INSTDIR\bordereau-desktop.exe" "%1"'
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
  ; Programs found by name from Run and from CreateProcess.
  WriteRegStr SHCTX "Software\Microsoft\Windows\CurrentVersion\App Paths\bordereau.exe" "" "$INSTDIR\bordereau.exe"

  ; The command line in a new terminal: the folder goes to the end of the path, once.
  Call AddToPath

  Call TellMissingWebview

  ; The person goes on working where they were.
  ${If} $CallingProcess != ""
    Exec '"$INSTDIR\bordereau-desktop.exe"'
  ${EndIf}
SectionEnd

Function AddToPath
  StrCpy $2 "Environment"
  ${If} $MultiUser.InstallMode == "AllUsers"
    StrCpy $2 "SYSTEM\CurrentControlSet\Control\Session Manager\Environment"
  ${EndIf}
  ReadRegStr $0 SHCTX "$2" "Path"
  ; A path longer than the installer's texts would be cut: it is left alone then.
  StrLen $1 "$0"
  ${If} $1 < 900
    ${WordFind} ";$0;" ";$INSTDIR;" "E+1{" $3
    IfErrors 0 present
      ${If} $0 == ""
        WriteRegExpandStr SHCTX "$2" "Path" "$INSTDIR"
      ${Else}
        WriteRegExpandStr SHCTX "$2" "Path" "$0;$INSTDIR"
      ${EndIf}
      SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
    present:
  ${EndIf}
FunctionEnd

; The data folder is the person's and stays.
Section Uninstall
  StrCpy $2 "Environment"
  ${If} $MultiUser.InstallMode == "AllUsers"
    StrCpy $2 "SYSTEM\CurrentControlSet\Control\Session Manager\Environment"
  ${EndIf}
  ReadRegStr $0 SHCTX "$2" "Path"
  StrLen $1 "$0"
  ${If} $1 < 900
    ${WordReplace} "$0" ";$INSTDIR" "" "+" $3
    ; A person who had no path of their own has none again.
    ${If} $0 == $INSTDIR
      DeleteRegValue SHCTX "$2" "Path"
    ${ElseIf} $3 != $0
      WriteRegExpandStr SHCTX "$2" "Path" "$3"
    ${EndIf}
    SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
  ${EndIf}
  DeleteRegKey SHCTX "Software\Classes\bordereau"
  DeleteRegKey SHCTX "Software\Classes\Applications\bordereau-desktop.exe"
  DeleteRegKey SHCTX "Software\Classes\.bordereau"
  DeleteRegKey SHCTX "Software\Classes\Bordereau.Mapping"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
  DeleteRegKey SHCTX "Software\Microsoft\Windows\CurrentVersion\App Paths\bordereau.exe"
  DeleteRegKey SHCTX "${UNINSTALL}"
  DeleteRegKey SHCTX "Software\Bordereau"
  Delete "$SMPROGRAMS\Bordereau.lnk"
  RMDir /r "$INSTDIR"
SectionEnd
