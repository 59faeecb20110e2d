{{- define "placefleet.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- /* The labels by which Services and policies select pods. They never change. Takes the root and the program's name. */ -}}
{{- define "placefleet.selector" -}}
app.kubernetes.io/name: placefleet
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .program }}
{{- end }}

{{- define "placefleet.labels" -}}
{{ include "placefleet.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "placefleet.image" -}}
{{- $image := index .root.Values.images .program -}}
{{ $image.repository }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{- /* Environment of a program: settings as they are, secret settings as the path of a file. Takes root, program and fixed settings. */ -}}
{{- define "placefleet.environment" -}}
{{- $values := index .root.Values .program -}}
{{- $program := .program }}
{{- range $name, $_ := omit .fixed "COORDINATOR_GRPC" }}
{{- if hasKey $values.settings $name }}{{ fail (printf "%s.settings.%s: the chart sets it; remove it" $program $name) }}{{ end }}
{{- end }}
{{- range $name, $value := merge (dict) $values.settings .fixed }}
{{- /* Helm reads whole numbers of a file as floats, and writes large ones as 1e+06. */ -}}
{{- if kindIs "float64" $value }}{{ if eq (floor $value) $value }}{{ $value = int64 $value }}{{ end }}{{ end }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- range .secretSettings }}
- { name: {{ . }}_FILE, value: /secrets/{{ . }} }
{{- end }}
{{- with $values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* Labels and annotations of a program's pods. A Secret that changed restarts them at the next upgrade. Takes root and program. */ -}}
{{- define "placefleet.podMetadata" -}}
{{- $values := index .root.Values .program -}}
{{- $secret := lookup "v1" "Secret" .root.Release.Namespace $values.existingSecret | default dict -}}
labels:
  {{- include "placefleet.labels" . | nindent 2 }}
  {{- with $values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  checksum/secret: {{ $secret.data | toJson | sha256sum }}
  {{- with $values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- /* Who runs a program's pods, and where. Takes root and program. */ -}}
{{- define "placefleet.scheduling" -}}
{{- $values := index .root.Values .program -}}
serviceAccountName: {{ include "placefleet.serviceAccount" . }}
automountServiceAccountToken: {{ $values.serviceAccount.automount }}
{{- with .root.Values.images.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "placefleet.serviceAccount" -}}
{{- $account := (index .root.Values .program).serviceAccount -}}
{{- if $account.create }}{{ $account.name | default (printf "%s-%s" (include "placefleet.name" .root) .program) }}{{ else }}{{ $account.name | default "default" }}{{ end }}
{{- end }}

{{- define "placefleet.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "placefleet.spread" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "placefleet.selector" . | nindent 6 }}
- maxSkew: 1
  topologyKey: topology.kubernetes.io/zone
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "placefleet.selector" . | nindent 6 }}
{{- end }}
